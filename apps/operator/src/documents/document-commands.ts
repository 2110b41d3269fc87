import { open, rm } from 'node:fs/promises';
import { errorCode } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { table } from '@stablecoin/command-line/table';
import {
  ArchivedDocument,
  DocumentAccess,
  DocumentArchive,
  Reader,
} from '@stablecoin/customer-store/documents/document-archive';
import { Command } from 'commander';
import { actorName, reasonText } from '../acting';
import { uuid } from '../arguments';
import { command, CommandContext } from '../command-context';
import { asComplianceOfficer } from '../operator-database';

interface ReadOptions extends Reader {
  customer: string;
  json?: boolean;
}

interface ExportOptions extends ReadOptions {
  document: string;
  out: string;
}

const OWNER_ONLY = 0o600;
const HELP = `
They read with a database role of their own, CUSTOMER_COMPLIANCE_DATABASE_URL, and PERSONAL_DATA_KEY. Each read is
recorded before it happens, here and in the log of operators' acts: who, when, which document, why.`;

/** Commands with which compliance officers read customers' documents. */
export function addDocumentCommands(root: Command, { settings, print }: CommandContext): void {
  const documents = root
    .command('documents')
    .description("Reads customers' documents, on the record; for compliance officers.")
    .addHelpText('after', HELP);

  reading(documents, 'list', "Lists a customer's documents: what they are, not what is in them.").action(
    async ({ customer, json, ...reader }: ReadOptions) =>
      print(await asComplianceOfficer(settings, (archive) => archive.list(customer, reader)), {
        json,
        table: documentTable,
      }),
  );

  reading(documents, 'export', 'Writes a document into a new file, which only its owner can read.')
    .requiredOption('--document <id>', 'the document, see documents list', uuid)
    .requiredOption('--out <file>', 'where to write it; never over a file that is there')
    .action(async (options: ExportOptions) =>
      print(await asComplianceOfficer(settings, (archive) => exportDocument(archive, options))),
    );

  command(documents, 'accesses', "Shows who has read a customer's documents, newest first.")
    .requiredOption('--customer <id>', 'the customer', uuid)
    .action(async ({ customer, json }: { customer: string; json?: boolean }) =>
      print(await asComplianceOfficer(settings, (archive) => archive.accesses(customer)), { json, table: accessTable }),
    );
}

function reading(documents: Command, name: string, description: string): Command {
  return command(documents, name, description)
    .requiredOption('--customer <id>', 'the customer', uuid)
    .requiredOption('--officer <name>', 'who reads', actorName)
    .requiredOption(
      '--reason <text>',
      'what for, such as the number of a case: kept in clear, so never a name',
      reasonText,
    );
}

/** Creates the file first: if it could not be written later, the audited read would have been for nothing. */
async function exportDocument(archive: DocumentArchive, { customer, document, out, officer, reason }: ExportOptions) {
  const file = await open(out, 'wx', OWNER_ONLY).catch((error: unknown) => {
    throw new OperatorError(
      `${out} can't be made (${errorCode(error) ?? 'unknown'}): --out names a new file in a folder that is there.`,
    );
  });
  try {
    const { content, ...described } = await archive.read(customer, document, { officer, reason });
    await file.writeFile(content);
    return { customer_id: customer, ...described, bytes: content.length, out };
  } catch (error) {
    await rm(out, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

function documentTable(documents: ArchivedDocument[]): string {
  const rows = documents.map(({ document_id, doc_type, sub_type, doc_country, created_at, url }) => [
    document_id,
    doc_type,
    sub_type,
    doc_country,
    created_at,
    url,
  ]);
  return table(['DOCUMENT ID', 'TYPE', 'PART', 'COUNTRY', 'ADDED', 'LINK'], rows);
}

function accessTable(accesses: DocumentAccess[]): string {
  const rows = accesses.map(({ recorded_at, action, document_id, officer, database_user, reason }) => [
    recorded_at,
    action,
    document_id,
    officer,
    database_user,
    reason,
  ]);
  return table(['WHEN', 'WHAT', 'DOCUMENT ID', 'OFFICER', 'LOGIN', 'REASON'], rows);
}
