/** Checks on the live tables that balances add up. */
import { RawSql } from '@stablecoin/persistence/sql';

export interface SumFault {
  shard: number;
  /** An account, or all accounts of a currency. */
  of: string;
  problem: string;
}

const NAMED_MAX = 10;

/** All accounts of a currency, on any shard, sum to zero. */
const CONSERVATION = `
  SELECT shard, currency AS of, 'all accounts sum to ' || sum(balance) || ', not to zero' AS problem
  FROM public.account_balances WHERE ($1::int[] IS NULL OR shard = ANY ($1)) AND shard <> ALL ($2::int[])
  GROUP BY shard, currency HAVING sum(balance) <> 0`;

/** A wallet holds its completed credits less its debits, with their fees, that are pending or completed. */
const WALLETS = `
  SELECT account.shard, account.account_id AS of,
    'holds ' || account.balance || ', its transactions amount to ' || COALESCE(moved.total, 0) AS problem
  FROM public.account_balances AS account LEFT JOIN (
    SELECT shard, wallet_id::text AS wallet_id, sum(CASE
      WHEN transaction_mode = 'CREDIT' AND status = 'COMPLETED' THEN amount
      WHEN transaction_mode = 'DEBIT' AND status IN ('PENDING', 'COMPLETED') THEN -amount - COALESCE(fee, 0)
      ELSE 0 END) AS total
    FROM public.transactions GROUP BY shard, wallet_id
  ) AS moved ON moved.shard = account.shard AND moved.wallet_id = account.account_id
  WHERE ($1::int[] IS NULL OR account.shard = ANY ($1)) AND account.shard <> ALL ($2::int[]) AND account.account_id NOT LIKE '%:%'
    AND account.balance <> COALESCE(moved.total, 0)`;

/** Clearing holds amount and fee of the pending payouts, and nothing else. */
const CLEARING = `
  SELECT account.shard, account.account_id AS of,
    'holds ' || account.balance || ', pending payouts amount to ' || COALESCE(pending.total, 0) AS problem
  FROM public.account_balances AS account LEFT JOIN (
    SELECT shard, currency, sum(amount + COALESCE(fee, 0)) AS total
    FROM public.transactions WHERE transaction_type = 'PAYOUT' AND status = 'PENDING' GROUP BY shard, currency
  ) AS pending ON pending.shard = account.shard AND account.account_id = 'payout-clearing:' || pending.currency
  WHERE ($1::int[] IS NULL OR account.shard = ANY ($1)) AND account.shard <> ALL ($2::int[]) AND account.account_id LIKE 'payout-clearing:%'
    AND account.balance <> COALESCE(pending.total, 0)`;

/** What leaves one owner's wallet for another's arrives there with the same command. */
const TRANSFERS = `
  SELECT shard, account_id AS of, 'holds ' || balance || ', though nothing is ever on its way' AS problem
  FROM public.account_balances
  WHERE ($1::int[] IS NULL OR shard = ANY ($1)) AND shard <> ALL ($2::int[]) AND account_id LIKE 'transfers:%' AND balance <> 0`;

/**
 * @param shards all when left out
 * @param leftOut shards on other databases
 */
export async function findSumFaults(
  sql: RawSql,
  shards?: readonly number[],
  leftOut: readonly number[] = [],
): Promise<SumFault[]> {
  const faults: SumFault[] = [];
  for (const query of [CONSERVATION, WALLETS, CLEARING, TRANSFERS]) {
    faults.push(
      ...(await sql.$queryRawUnsafe<SumFault[]>(`${query} ORDER BY 1, 2 LIMIT ${NAMED_MAX}`, shards ?? null, leftOut)),
    );
  }
  return faults;
}
