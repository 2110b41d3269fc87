import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { WalletView } from '@stablecoin/contracts/wallet/views';
import { Prisma } from '@stablecoin/ledger-store/generated/client';
import { loadAddresses } from '@stablecoin/ledger-store/projections/wallet.projection';
import { Sql } from '@stablecoin/persistence/sql';
import { walletView } from './wallet-view';

export interface WalletRow {
  id: string;
  merchant_id: string;
  customer_id: string | null;
  currency: Currency;
  description: string | null;
  created_at: string;
  updated_at: string;
  balance: string;
  balance_updated_at: string;
}

/** A wallet has an account from its first movement on. */
export const WALLET_TABLES = Prisma.raw(`
  wallets AS wallet
  LEFT JOIN account_balances AS account ON account.shard = wallet.shard AND account.account_id = wallet.id::text`);

export const WALLET_COLUMNS = Prisma.raw(`
  wallet.id::text, wallet.merchant_id::text, wallet.customer_id::text, wallet.currency, wallet.description,
  to_char(wallet.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at,
  to_char(wallet.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at,
  coalesce(account.balance, 0)::text AS balance,
  to_char(coalesce(account.updated_at, wallet.updated_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    AS balance_updated_at`);

export async function walletViews(sql: Sql, rows: WalletRow[]): Promise<WalletView[]> {
  const addresses = await loadAddresses(
    sql,
    rows.map(({ id }) => id),
  );
  return rows.map(({ balance, balance_updated_at, ...wallet }) =>
    walletView(
      { ...wallet, addresses: addresses.filter(({ wallet_id }) => wallet_id === wallet.id) },
      { balance: Money.parseSigned(wallet.currency, balance), updated_at: balance_updated_at },
    ),
  );
}
