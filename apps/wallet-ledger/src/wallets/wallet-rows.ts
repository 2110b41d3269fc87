import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { WalletView } from '@stablecoin/contracts/wallet/views';
import { Prisma } from '@stablecoin/ledger-store/generated/client';
import { addressesIn } from '@stablecoin/ledger-store/projections/wallet.projection';
import { Reads } from '@stablecoin/persistence/sql';
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

/** Of one merchant, with these wallets' accounts: a wallet has one from its first movement on. */
export const walletsWithBalances = (wallets: Prisma.Sql) => Prisma.sql`
  WITH wallet AS MATERIALIZED (${wallets})
  SELECT wallet.id::text, wallet.merchant_id::text, wallet.customer_id::text, wallet.currency, wallet.description,
    to_char(wallet.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at,
    to_char(wallet.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at,
    coalesce(account.balance, 0)::text AS balance,
    to_char(coalesce(account.updated_at, wallet.updated_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      AS balance_updated_at
  FROM wallet LEFT JOIN merchants_balances(ARRAY (SELECT id FROM wallet)) AS account ON account.wallet_id = wallet.id
  ORDER BY wallet.position DESC`;

export async function walletViews(reads: Reads, rows: WalletRow[]): Promise<WalletView[]> {
  const ids = rows.map(({ id }) => id);
  const addresses = await addressesIn(reads, ids, Prisma.sql`merchants_deposit_addresses(${ids}::uuid[])`);
  return rows.map(({ balance, balance_updated_at, ...wallet }) =>
    walletView(
      { ...wallet, addresses: addresses.filter(({ wallet_id }) => wallet_id === wallet.id) },
      { balance: Money.parseSigned(wallet.currency, balance), updated_at: balance_updated_at },
    ),
  );
}
