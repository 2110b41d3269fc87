/**
 * A merchant is on one shard, always (docs/adr/0002, docs/adr/0066): balances, policies and who is closed are in the log of that one. A
 * service that asks in another shard is not refused there, since what would refuse it is in the merchant's log, and each log is sound by
 * itself. So it shows only beside the other log.
 */
import { LogFault } from '@stablecoin/ledger-log/log/fault';
import { RawSql, Sql } from '@stablecoin/persistence/sql';
import { Keyed, sharingKeys } from './across-databases';

/** The place where a log begins to name a merchant that another one has named before. */
export interface StrayedMerchant extends LogFault {
  other_shard: number;
}

interface FirstEvent extends Keyed {
  shard: number;
  position: number;
  recorded_at: Date;
}

const NAMED_MAX = 10;

const LOGGED = `SELECT merchant_id::text AS key, shard, position::float8 AS position, recorded_at FROM logged_merchants`;

/** In one database those alone are read that are in two logs; among several each gives all of its own. */
const LOGGED_TWICE = `${LOGGED} WHERE merchant_id IN (
  SELECT merchant_id FROM logged_merchants GROUP BY merchant_id HAVING count(*) > 1)`;

/**
 * The first few places where a log names a merchant that another log has named before, by when they were recorded.
 *
 * @param snapshots of all databases of the ledger, each after its `LoggedMerchants` has followed the log
 */
export async function findStrayedMerchants(snapshots: readonly (Sql & RawSql)[]): Promise<StrayedMerchant[]> {
  let found: StrayedMerchant[] = [];
  for await (const same of sharingKeys<FirstEvent>(snapshots, snapshots.length === 1 ? LOGGED_TWICE : LOGGED)) {
    const [first, ...later] = [...same].sort(byTime) as [FirstEvent, ...FirstEvent[]];
    found = [...found, ...later.map((one) => strayed(one, first))].sort(byPlace).slice(0, NAMED_MAX);
  }
  return found;
}

const strayed = ({ key, shard, position }: FirstEvent, first: FirstEvent): StrayedMerchant => ({
  shard,
  position,
  other_shard: first.shard,
  problem:
    `merchant ${key} is in the log of shard ${first.shard} as well, from position ${first.position} on: ` +
    'a merchant is on one shard',
});

const byTime = (one: FirstEvent, other: FirstEvent): number =>
  one.recorded_at.getTime() - other.recorded_at.getTime() || one.shard - other.shard;

const byPlace = (one: LogFault, other: LogFault): number => one.shard - other.shard || one.position - other.position;
