import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { Account } from '@stablecoin/ledger-domain/entities';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { Sql } from '@stablecoin/persistence/sql';

/** `account_balances`: every account's balance. The fold is `movedAccount`. */
export async function writeAccounts(sql: Sql, shard: number, accounts: readonly Account[]): Promise<void> {
  if (accounts.length === 0) return;
  await sql.$executeRaw`
    INSERT INTO account_balances
      (shard, account_id, currency, balance, open_transactions, reversed_deposits, updated_at)
    SELECT ${shard}::int, account.*
    FROM unnest(
      ${arrayColumn(accounts.map(({ account_id }) => account_id))}::text[],
      ${arrayColumn(accounts.map(({ balance }) => balance.currency))}::text[],
      ${arrayColumn(accounts.map(({ balance }) => balance.toString()))}::numeric[],
      ${arrayColumn(accounts.map(({ open_transactions }) => open_transactions))}::int[],
      ${arrayColumn(accounts.map(({ reversed_deposits }) => reversed_deposits.toString()))}::numeric[],
      ${arrayColumn(accounts.map(({ updated_at }) => updated_at))}::timestamptz[]
    ) AS account
    ON CONFLICT (shard, account_id) DO UPDATE SET
      balance = excluded.balance, open_transactions = excluded.open_transactions,
      reversed_deposits = excluded.reversed_deposits, updated_at = excluded.updated_at`;
}

/** The house's own accounts of a shard, and those of the wallets named. */
export async function loadAccounts(sql: Sql, state: LedgerState, shard: number, walletIds: string[]): Promise<void> {
  const rows = await sql.$queryRaw<AccountRow[]>`
    SELECT account_id, currency, balance::text AS balance, open_transactions,
      reversed_deposits::text AS reversed_deposits,
      to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at
    FROM account_balances
    WHERE shard = ${shard} AND account_id = ANY (${walletIds}::text[])`;
  rows.forEach((row) => state.putAccount(accountOf(row)));
}

export async function loadHouseAccounts(sql: Sql, state: LedgerState, shard: number): Promise<void> {
  const rows = await sql.$queryRaw<AccountRow[]>`
    SELECT account_id, currency, balance::text AS balance, open_transactions,
      reversed_deposits::text AS reversed_deposits,
      to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at
    FROM account_balances
    WHERE shard = ${shard} AND account_id LIKE '%:%'`;
  rows.forEach((row) => state.putAccount(accountOf(row)));
}

interface AccountRow {
  account_id: string;
  currency: Currency;
  balance: string;
  open_transactions: number;
  reversed_deposits: string;
  updated_at: string;
}

function accountOf({ currency, ...row }: AccountRow): Account {
  const [balance, reversed_deposits] = [row.balance, row.reversed_deposits].map((text) =>
    Money.parseSigned(currency, text),
  ) as [Money, Money];
  return { ...row, balance, reversed_deposits };
}
