import { Transaction } from '@stablecoin/ledger-domain/entities';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { Sql } from '@stablecoin/persistence/sql';
import { Prisma } from '../generated/client';

/** `transactions`, one row per movement. The folds are `openedTransaction` and `movedTransaction`. */
export async function insertTransactions(sql: Sql, shard: number, opened: readonly Transaction[]): Promise<void> {
  if (opened.length === 0) return;
  await sql.$executeRaw`
    INSERT INTO transactions (
      id, position, merchant_id, customer_id, transaction_id, reference_id, wallet_id, sender_wallet_id,
      receiver_wallet_id, transaction_type, transaction_mode, currency, amount, fee, exchange_rate, amount_fiat,
      network, crypto_transaction_id, fiat_reference_id, recipient_currency, recipient_country, bank_name, bank_code,
      reason, sealed_destination, status, balance, created_at, updated_at, shard
    )
    SELECT transaction.*, ${shard}::int
    FROM unnest(
      ${opened.map(({ id }) => id)}::uuid[],
      ${opened.map(({ position }) => String(position))}::bigint[],
      ${opened.map(({ merchant_id }) => merchant_id)}::uuid[],
      ${opened.map(({ customer_id }) => customer_id)}::uuid[],
      ${opened.map(({ transaction_id }) => transaction_id)}::text[],
      ${opened.map(({ reference_id }) => reference_id)}::uuid[],
      ${opened.map(({ wallet_id }) => wallet_id)}::uuid[],
      ${opened.map(({ sender_wallet_id }) => sender_wallet_id)}::uuid[],
      ${opened.map(({ receiver_wallet_id }) => receiver_wallet_id)}::uuid[],
      ${opened.map(({ transaction_type }) => transaction_type)}::text[],
      ${opened.map(({ transaction_mode }) => transaction_mode)}::text[],
      ${opened.map(({ currency }) => currency)}::text[],
      ${opened.map(({ amount }) => amount)}::numeric[],
      ${opened.map(({ fee }) => fee)}::numeric[],
      ${opened.map(({ exchange_rate }) => exchange_rate)}::text[],
      ${opened.map(({ amount_fiat }) => amount_fiat)}::numeric[],
      ${opened.map(({ network }) => network)}::text[],
      ${opened.map(({ crypto_transaction_id }) => crypto_transaction_id)}::text[],
      ${opened.map(({ fiat_reference_id }) => fiat_reference_id)}::text[],
      ${opened.map(({ recipient_currency }) => recipient_currency)}::text[],
      ${opened.map(({ recipient_country }) => recipient_country)}::text[],
      ${opened.map(({ bank_name }) => bank_name)}::text[],
      ${opened.map(({ bank_code }) => bank_code)}::text[],
      ${opened.map(({ reason }) => reason)}::text[],
      ${opened.map(({ sealed_destination }) => sealed_destination)}::text[],
      ${opened.map(({ status }) => status)}::text[],
      ${opened.map(({ balance }) => balance)}::numeric[],
      ${opened.map(({ created_at }) => created_at)}::timestamptz[],
      ${opened.map(({ updated_at }) => updated_at)}::timestamptz[]
    ) AS transaction`;
}

/** Of a transaction that was opened before, only these columns ever change. */
export async function updateTransactions(sql: Sql, moved: readonly Transaction[]): Promise<void> {
  if (moved.length === 0) return;
  await sql.$executeRaw`
    UPDATE transactions SET
      status = moved.status, balance = moved.balance, updated_at = moved.updated_at,
      crypto_transaction_id = moved.crypto_transaction_id, fiat_reference_id = moved.fiat_reference_id
    FROM unnest(
      ${moved.map(({ id }) => id)}::uuid[],
      ${moved.map(({ status }) => status)}::text[],
      ${moved.map(({ balance }) => balance)}::numeric[],
      ${moved.map(({ updated_at }) => updated_at)}::timestamptz[],
      ${moved.map(({ crypto_transaction_id }) => crypto_transaction_id)}::text[],
      ${moved.map(({ fiat_reference_id }) => fiat_reference_id)}::text[]
    ) AS moved (id, status, balance, updated_at, crypto_transaction_id, fiat_reference_id)
    WHERE transactions.id = moved.id`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Loads transactions by `id` (a UUID) or by `transaction_id`. */
export async function loadTransactions(
  sql: Sql,
  state: LedgerState,
  references: readonly string[],
): Promise<Transaction[]> {
  if (references.length === 0) return [];
  const ids = references.filter((reference) => UUID.test(reference));
  const codes = references.filter((reference) => !UUID.test(reference));
  const rows = await sql.$queryRaw<TransactionRow[]>`
    SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE id = ANY (${ids}::uuid[])
    UNION ALL
    SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE transaction_id = ANY (${codes}::text[])`;
  const transactions = rows.map(transactionOf);
  transactions.forEach((transaction) => state.putTransaction(transaction));
  return transactions;
}

export type TransactionRow = Omit<Transaction, 'position'> & { position: bigint };

/** The columns of a `TransactionRow`, with amounts and times as the texts that responses print. */
export const TRANSACTION_COLUMNS = Prisma.raw(`
  id::text, position, merchant_id::text, customer_id::text, transaction_id, reference_id::text, wallet_id::text,
  sender_wallet_id::text, receiver_wallet_id::text, transaction_type, transaction_mode, currency, amount::text,
  fee::text, exchange_rate, amount_fiat::text, network, crypto_transaction_id, fiat_reference_id, recipient_currency,
  recipient_country, bank_name, bank_code, reason, sealed_destination, status, balance::text,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at,
  to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at`);

export function transactionOf(row: TransactionRow): Transaction {
  return { ...row, position: Number(row.position) };
}
