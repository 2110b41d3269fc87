/**
 * The deposit addresses of all wallets, as the ledger's facts tell of them. They stay in the database: a batch of blocks
 * asks once, by the primary key, for the recipients that are in it. In memory, a million of them would take a hundred
 * megabytes of every instance, and a start would have to read them all.
 */
import { Injectable } from '@nestjs/common';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EVM_NETWORKS, EvmNetwork } from '@stablecoin/chains/chains';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { arrayColumn, columnsOf } from '@stablecoin/persistence/columns';
import { Sql } from '@stablecoin/persistence/sql';
import { byteaText } from '../persistence/bytes';
import { ChainDatabase } from '../persistence/chain-database';

/** The owner of an address, and the networks that its wallet takes deposits on there. */
export interface AddressOwner {
  walletId: string;
  merchantId: string;
  shard: number;
  currency: string;
  networks: readonly string[];
}

interface UncheckedAddress {
  address: Hex;
  recordedAt: Date;
}

@Injectable()
export class KnownAddresses {
  constructor(private readonly database: ChainDatabase) {}

  /**
   * Known facts change nothing.
   *
   * @throws Error for an address that is known as another wallet's: somebody with this service's login may have put it here
   */
  async learn(sql: Sql, facts: readonly LedgerFact[]): Promise<void> {
    const wallets = facts.flatMap(({ wallet, merchant_id, customer_id, shard }) =>
      wallet ? [{ id: wallet.id, currency: wallet.currency, merchant_id, customer_id, shard }] : [],
    );
    const addresses = facts.flatMap(({ deposit_addresses = [], recorded_at }) =>
      deposit_addresses
        .filter(({ network }) => (EVM_NETWORKS as readonly string[]).includes(network))
        .map(({ address, network, wallet_id }) => ({
          ...{ network, wallet_id, recorded_at },
          address: byteaText(address.toLowerCase() as Hex),
        })),
    );
    if (wallets.length > 0) {
      const column = columnsOf(wallets);
      await sql.$executeRaw`
        INSERT INTO wallets (id, merchant_id, customer_id, shard, currency)
        SELECT * FROM unnest(${column('id')}::uuid[], ${column('merchant_id')}::uuid[], ${column('customer_id')}::uuid[],
          ${column('shard')}::int[], ${column('currency')}::text[])
        ON CONFLICT (id) DO NOTHING`;
    }
    if (addresses.length === 0) return;
    const column = columnsOf(addresses);
    await sql.$executeRaw`
      INSERT INTO deposit_addresses (address, network, wallet_id, recorded_at)
      SELECT * FROM unnest(${column('address')}::bytea[], ${column('network')}::text[], ${column('wallet_id')}::uuid[],
        ${column('recorded_at')}::timestamptz[])
      ON CONFLICT (address, network) DO NOTHING`;
    const [other] = await sql.$queryRaw<{ address: string; wallet_id: string }[]>`
      SELECT '0x' || encode(known.address, 'hex') AS address, known.wallet_id::text
      FROM unnest(${column('address')}::bytea[], ${column('network')}::text[], ${column('wallet_id')}::uuid[])
        AS told (address, network, wallet_id)
      JOIN deposit_addresses AS known USING (address, network) WHERE known.wallet_id <> told.wallet_id LIMIT 1`;
    if (other)
      throw new Error(
        `${other.address} is known as an address of wallet ${other.wallet_id}, and the ledger names another`,
      );
  }

  async ownersOf(addresses: Iterable<Hex>): Promise<Map<Hex, AddressOwner>> {
    const asked = arrayColumn([...new Set(addresses)].map(byteaText));
    const rows = await this.database.$queryRaw<
      { address: Hex; wallet_id: string; merchant_id: string; shard: number; currency: string; networks: string[] }[]
    >`
      SELECT '0x' || encode(address, 'hex') AS address, wallets.id::text AS wallet_id, merchant_id::text, shard, currency,
        array_agg(network) AS networks
      FROM deposit_addresses JOIN wallets ON wallets.id = wallet_id
      WHERE address = ANY (${asked}::bytea[])
      GROUP BY address, wallets.id`;
    return new Map(
      rows.map(({ address, wallet_id, merchant_id, shard, currency, networks }) => [
        address,
        { walletId: wallet_id, merchantId: merchant_id, ...{ shard, currency, networks } },
      ]),
    );
  }

  /**
   * Addresses that became known since blocks were last looked at again for them; the oldest first. One whose wallet is not
   * known yet waits for it: a transfer to it could not be taken.
   */
  async unchecked(network: EvmNetwork, limit: number): Promise<UncheckedAddress[]> {
    return this.database.$queryRaw<UncheckedAddress[]>`
      SELECT '0x' || encode(address, 'hex') AS address, recorded_at AS "recordedAt" FROM deposit_addresses
      WHERE network = ${network} AND unchecked AND EXISTS (SELECT 1 FROM wallets WHERE wallets.id = wallet_id)
      ORDER BY recorded_at LIMIT ${limit}::int`;
  }
}
