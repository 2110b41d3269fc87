import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { Timestamp } from './views';

export class ListShards {}

export interface ShardView {
  shard: number;
  /** The name of the ledger's database that it is on. */
  database: string;
  /** The instance that has it, or had it last; null for one that was never used. */
  holder: string | null;
  /** Whether the holder's lease goes on: without it, nothing can be written there. */
  is_held: boolean;
  lease_expires_at: Timestamp | null;
  /** How often it has changed hands. */
  epoch: number;
  /** How many events its log has. */
  head_position: number;
  /** For maintenance. */
  reserved_until: Timestamp | null;
}

/** An instance of the ledger that said lately that it is alive. */
export interface LedgerInstanceView {
  instance: string;
  joined_at: Timestamp;
  seen_at: Timestamp;
}

/** By the clock of the database, as leases are. */
export interface Shards {
  read_at: Timestamp;
  shards: ShardView[];
  instances: LedgerInstanceView[];
  /** Names of databases that give no answer: their shards are not in the list. */
  lost_databases: string[];
}

/** Who writes which part of the log, for the operator's people. */
export const listShards = operation({
  subject: 'wallet.list-shards',
  readOnly: true,
  request: ListShards,
  reply: replies<Shards>(),
  errors: [],
});
