/** A database with two shards of events and its append-only trigger off: tests tamper with it as its owner. */
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { FOLLOWING_THE_LOG, PROJECTION_TABLES } from '@stablecoin/ledger-store/projections/tables';
import { auditorUrl, createTestDatabase } from '@stablecoin/testing/postgres';
import { withLedger } from '../database/ledger';
import { DrivenLog, eventfulLog, writeLog } from '@stablecoin/ledger-log/testing/driven-log';

export interface AuditedDatabase {
  logs: readonly DrivenLog[];
  /** For tampering. */
  owner: LedgerDatabase;
  ownerUrl: string;
  auditorUrl: string;
  /** With the rights of the service. */
  url: string;
  /** Undoes all tampering. `signed: false` leaves shard 1 without checkpoints. */
  restore(options?: { signed?: boolean }): Promise<void>;
  /** Runs `work` like a command: on its own connection, with the role that only reads. */
  audit<Result>(work: (database: LedgerDatabase) => Promise<Result>): Promise<Result>;
  drop(): Promise<void>;
}

/** All tables that hold a part of a log or follow from it. */
export const TABLES = [
  ...['ledger_events', 'ledger_shards', 'command_results', 'relay_checkpoints'],
  ...[
    'ledger_checkpoints',
    'ledger_checkpoint_keys',
    'ledger_tree_nodes',
    'ledger_liabilities',
    'ledger_liability_tiles',
  ],
  ...FOLLOWING_THE_LOG,
  ...PROJECTION_TABLES.map(({ table }) => table),
].join(', ');

export async function auditedDatabase(logs = [eventfulLog(0), eventfulLog(1)]): Promise<AuditedDatabase> {
  const files = await createTestDatabase('ledger');
  const owner = new LedgerDatabase({ url: files.ownerUrl, applicationName: 'test', poolSize: 2 });
  for (const table of ['ledger_events', 'ledger_checkpoints', 'ledger_liabilities']) {
    await owner.$executeRawUnsafe(`ALTER TABLE ${table} DISABLE TRIGGER ${table}_are_append_only`);
  }
  const restore = async ({ signed = true } = {}) => {
    await owner.$executeRawUnsafe(`TRUNCATE ${TABLES}`);
    for (const log of logs) await writeLog(owner, log, { signed: signed || log.shard === 0 });
  };
  await restore();
  return {
    logs,
    owner,
    ownerUrl: files.ownerUrl,
    auditorUrl: auditorUrl(files),
    url: files.url,
    restore,
    audit: (work) => withLedger({ AUDIT_DATABASE_URL: auditorUrl(files) }, work),
    drop: async () => {
      await owner.$disconnect();
      await files.drop();
    },
  };
}
