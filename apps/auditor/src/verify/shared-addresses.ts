import { canonicalAddress } from '@stablecoin/addresses/canonical-address';
import { RawSql, Sql } from '@stablecoin/persistence/sql';
import { Keyed, sharingKeys } from './across-databases';

/** A deposit address that more than one wallet has: what arrives there is no one's in particular. */
export interface SharedAddress {
  address: string;
  wallets: string[];
}

const NAMED_MAX = 10;

/**
 * The same for each two texts of which `canonicalAddress` makes one: an EVM address is a number in hexadecimal digits, whatever their case
 * says. In any other network's the case is a part of it.
 */
const ONE_ADDRESS = `CASE WHEN address COLLATE "C" ~* '^0x[0-9a-f]{40}$' THEN lower(address COLLATE "C") ELSE address END`;

/**
 * By the addresses that the log gives out, as they were rebuilt from it: the counter they are drawn by is in no log.
 *
 * @param snapshots of all databases of the ledger
 */
export async function findSharedAddresses(snapshots: readonly (Sql & RawSql)[]): Promise<SharedAddress[]> {
  const [only, ...others] = snapshots;
  return only && others.length === 0 ? sharedIn(only) : sharedAmong(snapshots);
}

async function sharedIn(sql: RawSql): Promise<SharedAddress[]> {
  const found = await sql.$queryRawUnsafe<SharedAddress[]>(
    `SELECT ${ONE_ADDRESS} AS address, array_agg(DISTINCT wallet_id::text) AS wallets FROM deposit_addresses
     GROUP BY 1 HAVING count(DISTINCT wallet_id) > 1 ORDER BY 1 LIMIT ${NAMED_MAX}`,
  );
  return found.map(({ address, wallets }) => ({ address: canonicalAddress(address), wallets }));
}

async function sharedAmong(snapshots: readonly (Sql & RawSql)[]): Promise<SharedAddress[]> {
  const found: SharedAddress[] = [];
  const rows = `SELECT DISTINCT ${ONE_ADDRESS} AS key, wallet_id::text AS wallet FROM deposit_addresses`;
  for await (const same of sharingKeys<Keyed & { wallet: string }>(snapshots, rows)) {
    const wallets = [...new Set(same.map(({ wallet }) => wallet))].sort();
    if (wallets.length > 1 && found.length < NAMED_MAX) found.push({ address: canonicalAddress(same[0].key), wallets });
  }
  return found;
}
