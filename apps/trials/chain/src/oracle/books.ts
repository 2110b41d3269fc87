/** What the services' own databases say, read behind their backs. */
import type { Databases } from '../ground/databases';
import type { BookedDeposit } from './deposits';

export interface LedgerBooks {
  deposits: BookedDeposit[];
  /** By wallet id. */
  balances: Map<string, string>;
}

export async function readLedger(databases: Databases, merchants: readonly string[]): Promise<LedgerBooks> {
  const deposits = await databases.read<BookedDeposit>(
    'ledger',
    `SELECT wallet_id::text, crypto_transaction_id, amount::text, status FROM transactions
     WHERE merchant_id = ANY ($1) AND transaction_type = 'DEPOSIT'`,
    [merchants],
  );
  const balances = await databases.read<{ wallet_id: string; balance: string }>(
    'ledger',
    `SELECT wallets.id::text AS wallet_id, balance::text FROM wallets
     JOIN account_balances ON account_id = wallets.id::text WHERE merchant_id = ANY ($1)`,
    [merchants],
  );
  return { deposits, balances: new Map(balances.map(({ wallet_id, balance }) => [wallet_id, balance])) };
}

/** What waits for an operator in the chain service, as transaction and units. */
export async function readUnrecognised(databases: Databases, merchants: readonly string[]): Promise<string[]> {
  const rows = await databases.read<{ transfer: string }>(
    'chain',
    `SELECT '0x' || encode(transaction_hash, 'hex') || ' ' || units::text AS transfer FROM deposits
     WHERE merchant_id = ANY ($1) AND booked = 'unrecognised' AND standing = 'final'`,
    [merchants],
  );
  return rows.map(({ transfer }) => transfer);
}
