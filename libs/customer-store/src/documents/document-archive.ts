import { createHash } from 'node:crypto';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { KeyWrapping } from '@stablecoin/key-wrapping/key-wrapping';
import { CustomerDatabase } from '../customer-database';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { recordAct } from '../operator-acts/operator-acts';
import { mediaTypeOf } from './document-content';
import { contentKeyField, descriptionField, DocumentDescription, openPart, openParts } from './sealed-content';
import { KEYS_IN_USE } from '../keys-in-use';

/** Who asks, and what for: part of the record of each read. */
export interface Reader {
  officer: string;
  reason: string;
}

export interface ArchivedDocument extends DocumentDescription {
  document_id: string;
  created_at: string;
}

export interface DocumentAccess extends Reader {
  recorded_at: string;
  database_user: string;
  action: 'list' | 'export';
  document_id: string | null;
}

interface DocumentRow {
  id: string;
  sealed_description: string;
  upload_id: string | null;
  sealed_content_key: string | null;
  created_at: Date;
}

/** There is nothing to read, whatever is asked. */
export class NoDocument extends OperatorError {}

const DOCUMENTS_MAX = 1_000;
const ACCESSES_MAX = 1_000;
/** As long as the database lets a login read what it has put on the record. */
const OPEN_MINUTES = 5;

/**
 * Customers' documents, as people read them: with the database role `customer_compliance`, from the command line, or part by part
 * at the console where the service was given a login of that role. Each read is found possible → recorded, and the record
 * committed → done: the database lets a login read content only after that (see the migration `document_accesses`).
 */
export class DocumentArchive {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly wrapping: KeyWrapping,
  ) {}

  /** A customer's documents, oldest first: what they are, not what is in them. */
  async list(customerId: string, reader: Reader): Promise<ArchivedDocument[]> {
    const seal = await this.sealOf(customerId);
    await this.record(reader, 'list', customerId);
    const rows = await this.database.$queryRaw<DocumentRow[]>`
      SELECT id, sealed_description, upload_id, sealed_content_key, created_at
      FROM documents WHERE customer_id = ${customerId}::uuid ORDER BY created_at, id LIMIT ${DOCUMENTS_MAX}`;
    return rows.map((row) => described(seal, row));
  }

  /** One document with its content, at most 5 MiB. */
  async read(customerId: string, documentId: string, reader: Reader) {
    const { seal, row, uploadId, contentKey } = await this.found(customerId, documentId);
    await this.record(reader, 'export', customerId, documentId);
    const content = await this.content(uploadId, contentKey);
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { ...described(seal, row), media_type: mediaTypeOf(content), sha256, content };
  }

  /** Puts a read on the record, after which its reader is given the parts for some minutes. */
  async open(customerId: string, documentId: string, reader: Reader): Promise<{ parts: number }> {
    const { uploadId } = await this.found(customerId, documentId);
    await this.record(reader, 'export', customerId, documentId);
    return { parts: await this.partsOf(uploadId) };
  }

  /** One part of a document that its reader has put on the record within the minutes before; undefined otherwise. */
  async part(customerId: string, documentId: string, part: number, officer: string) {
    const { uploadId, contentKey } = await this.found(customerId, documentId);
    const [stored] = await this.database.$queryRaw<{ sealed_bytes: Uint8Array }[]>`
      SELECT sealed_bytes FROM document_parts WHERE upload_id = ${uploadId}::uuid AND part = ${part}
        AND EXISTS (SELECT FROM document_accesses WHERE document_id = ${documentId}::uuid AND officer = ${officer}
          AND action = 'export' AND recorded_at > now() - ${OPEN_MINUTES}::int * interval '1 minute')`;
    if (!stored) return undefined;
    const bytes = openPart(contentKey, uploadId, part, stored.sealed_bytes);
    return { parts: await this.partsOf(uploadId), bytes };
  }

  /** Who has read a customer's documents, newest first. */
  async accesses(customerId: string): Promise<DocumentAccess[]> {
    const rows = await this.database.$queryRaw<(Omit<DocumentAccess, 'recorded_at'> & { recorded_at: Date })[]>`
      SELECT recorded_at, database_user, officer, reason, action, document_id
      FROM document_accesses WHERE customer_id = ${customerId}::uuid ORDER BY id DESC LIMIT ${ACCESSES_MAX}`;
    return rows.map((row) => ({ ...row, recorded_at: row.recorded_at.toISOString() }));
  }

  private async found(customerId: string, documentId: string) {
    const seal = await this.sealOf(customerId);
    const [row] = await this.database.$queryRaw<DocumentRow[]>`
      SELECT id, sealed_description, upload_id, sealed_content_key, created_at
      FROM documents WHERE customer_id = ${customerId}::uuid AND id = ${documentId}::uuid`;
    if (!row) throw new NoDocument('The customer has no such document.');
    const { upload_id: uploadId, sealed_content_key: sealedKey } = row;
    if (!uploadId || !sealedKey)
      throw new NoDocument('The document is a link, which was never fetched: documents list shows it.');
    const contentKey = Buffer.from(seal.open<string>(contentKeyField(uploadId), sealedKey), 'base64');
    return { seal, row, uploadId, contentKey };
  }

  private async partsOf(uploadId: string): Promise<number> {
    const [upload] = await this.database.$queryRaw<{ parts: number | null }[]>`
      SELECT parts FROM document_uploads WHERE id = ${uploadId}::uuid`;
    return upload?.parts ?? 0;
  }

  private async sealOf(customerId: string): Promise<OwnerSeal> {
    const [customer] = await this.database.$queryRaw<{ wrapped_key: string | null }[]>`
      SELECT wrapped_key FROM customers LEFT JOIN ${KEYS_IN_USE} ON owner_id = id WHERE id = ${customerId}::uuid`;
    if (!customer) throw new NoDocument('There is no such customer.');
    if (!customer.wrapped_key) throw new NoDocument('The customer was erased: its documents are unreadable for good.');
    return new OwnerSeal(customerId, await this.wrapping.unwrap(customer.wrapped_key, customerId));
  }

  /** In both logs: that of accesses, by which the database lets content be read, and that of all operators' acts. */
  private async record({ officer, reason }: Reader, action: string, customerId: string, documentId?: string) {
    await this.database.$transaction(async (transaction) => {
      await transaction.$executeRaw`
        INSERT INTO document_accesses (officer, reason, action, customer_id, document_id)
        VALUES (${officer}, ${reason}, ${action}, ${customerId}::uuid, ${documentId ?? null}::uuid)`;
      const details = documentId === undefined ? {} : { document_id: documentId };
      const act = { action: `documents ${action}`, customer_id: customerId, details };
      await recordAct(transaction, act, { actor: officer, reason });
    }, TRANSACTION_LIMITS);
  }

  private async content(uploadId: string, contentKey: Buffer): Promise<Buffer> {
    const whole = await this.partsOf(uploadId);
    const parts = await this.database.$queryRaw<{ sealed_bytes: Uint8Array }[]>`
      SELECT sealed_bytes FROM document_parts WHERE upload_id = ${uploadId}::uuid ORDER BY part`;
    if (parts.length === 0 || parts.length !== whole) {
      throw new Error(`${parts.length} of ${whole} parts of the document are there`);
    }
    return openParts(contentKey, uploadId, parts);
  }
}

function described(seal: OwnerSeal, { id, sealed_description, created_at }: DocumentRow): ArchivedDocument {
  const description = seal.open<DocumentDescription>(descriptionField(id), sealed_description);
  return { document_id: id, ...description, created_at: created_at.toISOString() };
}
