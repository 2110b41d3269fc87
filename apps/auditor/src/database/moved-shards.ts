/** Where the ledger's shards lie on several databases (docs/adr/0066): those that this one says are on another. */
import { Sql } from '@stablecoin/persistence/sql';
import { AuditFailure } from '../report/report';

export interface MovedShard {
  shard: number;
  /** The name of the database that has it. */
  moved_to: string;
}

export const readMovedShards = (sql: Sql): PromiseLike<MovedShard[]> => sql.$queryRaw<MovedShard[]>`
  SELECT shard, moved_to FROM ledger_shards WHERE moved_to IS NOT NULL ORDER BY shard`;

/**
 * For what is of all shards and reads one database.
 *
 * @throws AuditFailure where shards are on others
 */
export async function refuseWhereSeveral(sql: Sql): Promise<void> {
  const [moved] = await readMovedShards(sql);
  if (!moved) return;
  throw new AuditFailure(
    `Shard ${moved.shard} is on the database ${moved.moved_to}, and this command reads one database: it would leave out what is there.`,
  );
}
