import type { DatabaseName } from '@stablecoin/migrations/databases';

/** A further database of the ledger (docs/adr/0066), by the connection strings of two of its roles. */
export interface FurtherLedger {
  name: string;
  owner: string;
  auditor: string;
}

/** What a trial's merchants and its oracle have to know of the stack that is tried. */
export interface TrialStack {
  owner_databases: Record<DatabaseName, string>;
  /** None where the ledger has one database. */
  further_ledgers?: readonly FurtherLedger[];
  command_line: Record<string, string>;
}

/** Of the tables' owner, home first. */
export const ledgerUrls = ({ owner_databases: { ledger }, further_ledgers: further = [] }: TrialStack): string[] => [
  ledger,
  ...further.map(({ owner }) => owner),
];

/** The condition for a table's rows of shards that are on the database which is asked: copies of others stay when these have moved. */
export const OF_SHARDS_HERE = 'shard IN (SELECT shard FROM ledger_shards WHERE moved_to IS NULL)';
