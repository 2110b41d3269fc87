import { canonicalText, CanonicalValue } from '@stablecoin/event-chain/canonical-text';
import { Transaction, UnderPolicy } from '@stablecoin/ledger-domain/entities';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { arrayColumn, columnsOf } from '@stablecoin/persistence/columns';
import { Sql } from '@stablecoin/persistence/sql';
import { Prisma } from '../generated/client';

/** `transactions`, one row per movement. The folds are `openedTransaction` and `movedTransaction`. */
export async function insertTransactions(sql: Sql, shard: number, opened: readonly Transaction[]): Promise<void> {
  if (opened.length === 0) return;
  const column = columnsOf(opened);
  await sql.$executeRaw`
    INSERT INTO transactions (
      id, position, merchant_id, customer_id, transaction_id, reference_id, wallet_id, sender_wallet_id,
      receiver_wallet_id, transaction_type, transaction_mode, currency, amount, fee, exchange_rate, amount_fiat,
      network, crypto_transaction_id, fiat_reference_id, recipient_currency, recipient_country, bank_name, bank_code,
      reason, sealed_destination, status, balance, created_at, updated_at, waiting_for, under_policy, shard
    )
    SELECT transaction.*, ${shard}::int
    FROM unnest(
      ${column('id')}::uuid[],
      ${column('position')}::bigint[],
      ${column('merchant_id')}::uuid[],
      ${column('customer_id')}::uuid[],
      ${column('transaction_id')}::text[],
      ${column('reference_id')}::uuid[],
      ${column('wallet_id')}::uuid[],
      ${column('sender_wallet_id')}::uuid[],
      ${column('receiver_wallet_id')}::uuid[],
      ${column('transaction_type')}::text[],
      ${column('transaction_mode')}::text[],
      ${column('currency')}::text[],
      ${column('amount')}::numeric[],
      ${column('fee')}::numeric[],
      ${column('exchange_rate')}::text[],
      ${column('amount_fiat')}::numeric[],
      ${column('network')}::text[],
      ${column('crypto_transaction_id')}::text[],
      ${column('fiat_reference_id')}::text[],
      ${column('recipient_currency')}::text[],
      ${column('recipient_country')}::text[],
      ${column('bank_name')}::text[],
      ${column('bank_code')}::text[],
      ${column('reason')}::text[],
      ${column('sealed_destination')}::text[],
      ${column('status')}::text[],
      ${column('balance')}::numeric[],
      ${column('created_at')}::timestamptz[],
      ${column('updated_at')}::timestamptz[],
      ${column('waiting_for')}::text[],
      ${arrayColumn(opened.map(policyText))}::text[]
    ) AS transaction`;
}

const policyText = ({ under_policy }: Transaction): string | null =>
  under_policy === null ? null : canonicalText(under_policy as unknown as CanonicalValue);

/** Updates transactions that were opened before; only these columns ever change. */
export async function updateTransactions(sql: Sql, moved: readonly Transaction[]): Promise<void> {
  if (moved.length === 0) return;
  const column = columnsOf(moved);
  await sql.$executeRaw`
    UPDATE transactions SET
      status = moved.status, balance = moved.balance, updated_at = moved.updated_at,
      crypto_transaction_id = moved.crypto_transaction_id, fiat_reference_id = moved.fiat_reference_id,
      waiting_for = moved.waiting_for, under_policy = moved.under_policy
    FROM unnest(
      ${column('id')}::uuid[],
      ${column('status')}::text[],
      ${column('balance')}::numeric[],
      ${column('updated_at')}::timestamptz[],
      ${column('crypto_transaction_id')}::text[],
      ${column('fiat_reference_id')}::text[],
      ${column('waiting_for')}::text[],
      ${arrayColumn(moved.map(policyText))}::text[]
    ) AS moved (id, status, balance, updated_at, crypto_transaction_id, fiat_reference_id, waiting_for, under_policy)
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
    SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE id = ANY (${arrayColumn(ids)}::uuid[])
    UNION ALL
    SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE transaction_id = ANY (${arrayColumn(codes)}::text[])`;
  const transactions = rows.map(transactionOf);
  transactions.forEach((transaction) => state.putTransaction(transaction));
  return transactions;
}

export type TransactionRow = Omit<Transaction, 'position' | 'under_policy'> & {
  position: bigint;
  under_policy: string | null;
};

/** The columns of a `TransactionRow`, with amounts and times as the texts that responses print. */
export const TRANSACTION_COLUMNS = Prisma.raw(`
  id::text, position, merchant_id::text, customer_id::text, transaction_id, reference_id::text, wallet_id::text,
  sender_wallet_id::text, receiver_wallet_id::text, transaction_type, transaction_mode, currency, amount::text,
  fee::text, exchange_rate, amount_fiat::text, network, crypto_transaction_id, fiat_reference_id, recipient_currency,
  recipient_country, bank_name, bank_code, reason, sealed_destination, status, balance::text, waiting_for, under_policy,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at,
  to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at`);

export function transactionOf(row: TransactionRow): Transaction {
  const under_policy = row.under_policy === null ? null : (JSON.parse(row.under_policy) as UnderPolicy);
  return { ...row, position: Number(row.position), under_policy };
}
