import { Sql } from '@stablecoin/persistence/sql';
import { RawSql } from '../rebuild/scratch-tables';
import { Keyed, sharingKeys } from './across-databases';

/** A deposit address that more than one wallet has: what arrives there is no one's in particular. */
export interface SharedAddress {
  address: string;
  wallets: string[];
}

const NAMED_MAX = 10;

/**
 * By the addresses that the log gives out, as they were rebuilt from it: the counter they are drawn by is in no log.
 *
 * @param snapshots of all databases of the ledger
 */
export async function findSharedAddresses(snapshots: readonly (Sql & RawSql)[]): Promise<SharedAddress[]> {
  const [only, ...others] = snapshots;
  return only && others.length === 0 ? sharedIn(only) : sharedAmong(snapshots);
}

const sharedIn = (sql: Sql): PromiseLike<SharedAddress[]> => sql.$queryRaw<SharedAddress[]>`
  SELECT address, array_agg(DISTINCT wallet_id::text) AS wallets FROM deposit_addresses
  GROUP BY address HAVING count(DISTINCT wallet_id) > 1 ORDER BY address LIMIT ${NAMED_MAX}`;

async function sharedAmong(snapshots: readonly (Sql & RawSql)[]): Promise<SharedAddress[]> {
  const found: SharedAddress[] = [];
  const rows = 'SELECT DISTINCT address AS key, wallet_id::text AS wallet FROM deposit_addresses';
  for await (const same of sharingKeys<Keyed & { wallet: string }>(snapshots, rows)) {
    const wallets = [...new Set(same.map(({ wallet }) => wallet))].sort();
    if (wallets.length > 1 && found.length < NAMED_MAX) found.push({ address: same[0].key, wallets });
  }
  return found;
}
