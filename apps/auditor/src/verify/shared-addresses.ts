import { Sql } from '@stablecoin/persistence/sql';

/** A deposit address that more than one wallet has: what arrives there is no one's in particular. */
export interface SharedAddress {
  address: string;
  wallets: string[];
}

const NAMED_MAX = 10;

/** By the addresses that the log gives out, as they were rebuilt from it: the counter they are drawn by is in no log. */
export const findSharedAddresses = (sql: Sql): PromiseLike<SharedAddress[]> => sql.$queryRaw<SharedAddress[]>`
  SELECT address, array_agg(DISTINCT wallet_id::text) AS wallets FROM deposit_addresses
  GROUP BY address HAVING count(DISTINCT wallet_id) > 1 ORDER BY address LIMIT ${NAMED_MAX}`;
