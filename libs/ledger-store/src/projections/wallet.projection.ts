import { Currency } from '@stablecoin/money/currency';
import { DepositAddress, Wallet } from '@stablecoin/ledger-domain/entities';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { columnsOf } from '@stablecoin/persistence/columns';
import { Reads, Sql } from '@stablecoin/persistence/sql';
import { Prisma } from '../generated/client';

/** `wallets` and `deposit_addresses`. The folds are `openedWallet`, `addedAddress` and `withAddress`. */
export async function writeWallets(sql: Sql, shard: number, wallets: readonly Wallet[]): Promise<void> {
  if (wallets.length === 0) return;
  const column = columnsOf(wallets);
  await sql.$executeRaw`
    INSERT INTO wallets
      (id, merchant_id, customer_id, currency, description, address_index, created_at, updated_at, position, shard)
    SELECT wallet.*, ${shard}::int
    FROM unnest(
      ${column('id')}::uuid[],
      ${column('merchant_id')}::uuid[],
      ${column('customer_id')}::uuid[],
      ${column('currency')}::text[],
      ${column('description')}::text[],
      ${column('address_index')}::int[],
      ${column('created_at')}::timestamptz[],
      ${column('updated_at')}::timestamptz[],
      ${column('position')}::bigint[]
    ) AS wallet
    ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at`;
  const addresses = wallets.flatMap((wallet) => wallet.addresses);
  if (addresses.length === 0) return;
  const address = columnsOf(addresses);
  await sql.$executeRaw`
    INSERT INTO deposit_addresses (id, wallet_id, network, address, created_at)
    SELECT * FROM unnest(
      ${address('id')}::uuid[],
      ${address('wallet_id')}::uuid[],
      ${address('network')}::text[],
      ${address('address')}::text[],
      ${address('created_at')}::timestamptz[]
    )
    ON CONFLICT (id) DO NOTHING`;
}

export interface WalletKeys {
  ids: readonly string[];
  owners: readonly { merchant_id: string; customer_id: string | null }[];
}

/**
 * Loads wallets with their addresses: those with these ids, and all wallets of these owners. Three searches by three
 * indexes: combined with OR in one condition they would read the whole table.
 */
export async function loadWallets(sql: Sql, state: LedgerState, shard: number, keys: WalletKeys): Promise<Wallet[]> {
  const rows = await sql.$queryRaw<WalletRow[]>`
    SELECT id::text, merchant_id::text, customer_id::text, currency, description, address_index, position,
      to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at,
      to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at
    FROM wallets
    WHERE shard = ${shard} AND id IN (
      SELECT unnest(${keys.ids}::uuid[])
      UNION
      SELECT id FROM wallets WHERE customer_id IS NULL AND merchant_id = ANY (${merchantsAlone(keys)}::uuid[])
      UNION
      SELECT wallet.id
      FROM unnest(${customersOf(keys, 'merchant_id')}::uuid[], ${customersOf(keys, 'customer_id')}::uuid[])
        AS owner (merchant_id, customer_id) JOIN wallets AS wallet USING (merchant_id, customer_id)
    )`;
  const addresses = await loadAddresses(
    sql,
    rows.map(({ id }) => id),
  );
  const wallets = rows.map((row) => ({
    ...row,
    position: Number(row.position),
    addresses: addresses.filter(({ wallet_id }) => wallet_id === row.id),
  }));
  wallets.forEach((wallet) => state.putWallet(wallet));
  return wallets;
}

export const loadAddresses = (sql: Sql, walletIds: string[]): Promise<DepositAddress[]> =>
  addressesIn(sql, walletIds, Prisma.sql`deposit_addresses WHERE wallet_id = ANY (${walletIds}::uuid[])`);

/** @param rows what follows FROM: those of these wallets. Oldest first */
export async function addressesIn(reads: Reads, walletIds: string[], rows: Prisma.Sql): Promise<DepositAddress[]> {
  if (walletIds.length === 0) return [];
  return reads.$queryRaw<DepositAddress[]>`
    SELECT id::text, wallet_id::text, network, address,
      to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at
    FROM ${rows}
    ORDER BY created_at, network`;
}

interface WalletRow {
  id: string;
  merchant_id: string;
  customer_id: string | null;
  currency: Currency;
  description: string | null;
  address_index: number;
  created_at: string;
  updated_at: string;
  position: bigint;
}

const merchantsAlone = ({ owners }: WalletKeys) =>
  owners.filter(({ customer_id }) => customer_id === null).map(({ merchant_id }) => merchant_id);

const customersOf = ({ owners }: WalletKeys, key: 'merchant_id' | 'customer_id') =>
  owners.filter(({ customer_id }) => customer_id !== null).map((owner) => owner[key]);
