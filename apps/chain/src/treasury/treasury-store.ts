/** What the treasury keeps: its lease and progress per network, and what our addresses held when they were last read. */
import { Injectable } from '@nestjs/common';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TokenCurrency } from '@stablecoin/chains/tokens';
import { TransferHold } from '@stablecoin/contracts/chain/views';
import { arrayColumn, columnsOf } from '@stablecoin/persistence/columns';
import { byteaText } from '../persistence/bytes';
import { ChainDatabase } from '../persistence/chain-database';
import { NetworkLease } from '../persistence/network-lease';
import { RETRY_AFTER_MS } from './decide-treasury';

/** Longer than a pass takes while its nodes answer. What two holders order at once is ordered once all the same. */
const LEASE_MS = 60_000;

/** The native coin of a network, beside its tokens. */
export const COINS = 'coins';
export type Asset = TokenCurrency | typeof COINS;
/** `former`: of a hot wallet or cold address that the signer names no longer. */
export type Place = 'deposit' | 'hot' | 'cold' | 'former';

export interface ReadHolding {
  address: Hex;
  asset: Asset;
  place: Place;
  units: bigint;
}

interface HeldToken {
  address: Hex;
  currency: TokenCurrency;
}

/** A deposit address with more of a token than is left there. */
export interface Candidate extends HeldToken {
  /** Null until it is derived. */
  index: number | null;
}

/** What was ordered about a deposit address before. */
export interface AddressOrders {
  index: number;
  kind: 'sweep' | 'gas';
  currency: TokenCurrency | null;
  ended: number;
  is_open: boolean;
  held_by: TransferHold | null;
  failed_ms_ago: number | null;
  /** Of the newest that is final. */
  block_number: bigint | null;
}

interface ToColdOrders {
  currency: TokenCurrency;
  ended: number;
  is_open: boolean;
  failed_ms_ago: number | null;
  /** Of the last that was completed. */
  block_number: bigint | null;
}

@Injectable()
export class TreasuryStore {
  readonly lease: NetworkLease;

  constructor(private readonly database: ChainDatabase) {
    this.lease = new NetworkLease(database, 'treasuries', LEASE_MS);
  }

  /** How far the network is walked; undefined before that has begun. */
  async walked(network: EvmNetwork): Promise<{ tip: number; final: number } | undefined> {
    const [row] = await this.database.$queryRaw<{ tip_number: bigint; final_number: bigint }[]>`
      SELECT tip_number, final_number FROM walks WHERE network = ${network}`;
    return row && { tip: Number(row.tip_number), final: Number(row.final_number) };
  }

  /**
   * The addresses of deposits in final blocks that have not been looked at, by whole blocks: about `most` of them.
   *
   * @returns the block up to which they are all of them
   */
  async sinceLastLook(network: EvmNetwork, final: number, most: number): Promise<{ held: HeldToken[]; upTo: number }> {
    const [bound] = await this.database.$queryRaw<{ block_number: bigint }[]>`
      SELECT block_number FROM deposits
      WHERE network = ${network} AND block_number <= ${final}::bigint
        AND block_number > (SELECT looked_number FROM treasuries WHERE network = ${network})
      ORDER BY block_number OFFSET ${most}::int LIMIT 1`;
    const upTo = bound ? Number(bound.block_number) : final;
    const held = await this.database.$queryRaw<HeldToken[]>`
      SELECT DISTINCT '0x' || encode(to_address, 'hex') AS address, currency FROM deposits
      WHERE network = ${network} AND currency IS NOT NULL AND block_number <= ${upTo}::bigint
        AND block_number > (SELECT looked_number FROM treasuries WHERE network = ${network})`;
    return { held, upTo };
  }

  async lookedUpTo(network: EvmNetwork, number: number): Promise<void> {
    await this.database.$executeRaw`
      UPDATE treasuries SET looked_number = greatest(looked_number, ${number}::bigint) WHERE network = ${network}`;
  }

  /** The next addresses of the slow look at all of them; none where it is at its end, and then it begins anew. */
  async nextOfRound(network: EvmNetwork, most: number): Promise<Hex[]> {
    const rows = await this.database.$queryRaw<{ address: Hex }[]>`
      SELECT '0x' || encode(address, 'hex') AS address FROM deposit_addresses
      WHERE network = ${network} AND address > (SELECT round_after FROM treasuries WHERE network = ${network})
      ORDER BY address LIMIT ${most}::int`;
    return rows.map(({ address }) => address);
  }

  async roundAfter(network: EvmNetwork, address: Hex | undefined): Promise<void> {
    await this.database.$executeRaw`
      UPDATE treasuries SET round_after = ${byteaText(address ?? '0x')}::bytea WHERE network = ${network}`;
  }

  /** An older reading does not replace a newer one. */
  async store(network: EvmNetwork, blockNumber: number, read: readonly ReadHolding[]): Promise<void> {
    if (read.length === 0) return;
    const column = columnsOf(
      read.map(({ address, asset, place, units }) => ({
        ...{ address: byteaText(address), asset, place, units: units.toString() },
      })),
    );
    await this.database.$executeRaw`
      INSERT INTO holdings (network, address, asset, place, units, block_number, read_at)
      SELECT ${network}, address, asset, place, units, ${blockNumber}::bigint, clock_timestamp()
      FROM unnest(${column('address')}::bytea[], ${column('asset')}::text[], ${column('place')}::text[],
        ${column('units')}::numeric[]) AS read (address, asset, place, units)
      ON CONFLICT (network, address, asset) DO UPDATE SET place = excluded.place, units = excluded.units,
        block_number = excluded.block_number, read_at = excluded.read_at
      WHERE holdings.block_number <= excluded.block_number`;
  }

  async storeTransferFee(network: EvmNetwork, wei: bigint): Promise<void> {
    await this.database.$executeRaw`
      UPDATE treasuries SET transfer_fee_wei = ${wei.toString()}::numeric WHERE network = ${network}`;
  }

  /** The hot wallet and the cold address are the signer's word; what was either before still is ours. */
  async formerAddresses(network: EvmNetwork, ours: readonly Hex[]): Promise<Hex[]> {
    await this.database.$executeRaw`
      UPDATE holdings SET place = 'former' WHERE network = ${network} AND place IN ('hot', 'cold')
        AND address <> ALL (${arrayColumn(ours.map(byteaText))}::bytea[])`;
    const rows = await this.database.$queryRaw<{ address: Hex }[]>`
      SELECT DISTINCT '0x' || encode(address, 'hex') AS address FROM holdings
      WHERE network = ${network} AND place = 'former'`;
    return rows.map(({ address }) => address);
  }

  /**
   * Deposit addresses with more than `above` of a token, the fullest first, unless something of theirs is under way or has
   * just failed.
   */
  async candidates(network: EvmNetwork, currency: TokenCurrency, above: bigint, most: number): Promise<Candidate[]> {
    return this.database.$queryRaw<Candidate[]>`
      SELECT '0x' || encode(holdings.address, 'hex') AS address, asset AS currency, index
      FROM holdings LEFT JOIN derived_addresses ON derived_addresses.address = holdings.address
      WHERE network = ${network} AND place = 'deposit' AND asset = ${currency} AND units > ${above.toString()}::numeric
        AND NOT EXISTS (
          SELECT 1 FROM outgoing_transfers AS ordered
          WHERE ordered.network = ${network} AND kind IN ('sweep', 'gas')
            AND (from_index = index OR to_index = index)
            AND (state IN ('waiting', 'sent')
              OR state = 'failed' AND ordered.updated_at > clock_timestamp() - ${RETRY_AFTER_MS}::int * interval '1 millisecond')
        )
      ORDER BY units DESC, holdings.address LIMIT ${most}::int`;
  }

  /** Addresses whose sweep is ordered and waits for coins that were meant to be there. */
  async heldForGas(network: EvmNetwork, most: number): Promise<Candidate[]> {
    return this.database.$queryRaw<Candidate[]>`
      SELECT '0x' || encode(from_address, 'hex') AS address, currency, from_index AS index FROM outgoing_transfers
      WHERE network = ${network} AND kind = 'sweep' AND state = 'waiting' AND held_by = 'gas'
      ORDER BY updated_at LIMIT ${most}::int`;
  }

  async ordersOf(network: EvmNetwork, indices: readonly number[]): Promise<AddressOrders[]> {
    return this.database.$queryRaw<AddressOrders[]>`
      SELECT coalesce(from_index, to_index) AS index, kind, currency,
        count(*) FILTER (WHERE state IN ('completed', 'failed'))::int AS ended,
        bool_or(state IN ('waiting', 'sent')) AS is_open,
        max(held_by) FILTER (WHERE state IN ('waiting', 'sent')) AS held_by,
        (extract(epoch FROM clock_timestamp() - max(updated_at) FILTER (WHERE state = 'failed')) * 1000)::float8
          AS failed_ms_ago,
        max(block_number) FILTER (WHERE state = 'completed') AS block_number
      FROM outgoing_transfers
      WHERE network = ${network} AND kind IN ('sweep', 'gas')
        AND (from_index = ANY (${arrayColumn(indices)}::int[]) OR to_index = ANY (${arrayColumn(indices)}::int[]))
      GROUP BY coalesce(from_index, to_index), kind, currency`;
  }

  async toColdOrders(network: EvmNetwork): Promise<ToColdOrders[]> {
    return this.database.$queryRaw<ToColdOrders[]>`
      SELECT currency, count(*) FILTER (WHERE state IN ('completed', 'failed'))::int AS ended,
        bool_or(state IN ('waiting', 'sent')) AS is_open,
        (extract(epoch FROM clock_timestamp() - max(updated_at) FILTER (WHERE state = 'failed')) * 1000)::float8
          AS failed_ms_ago,
        max(block_number) FILTER (WHERE state = 'completed') AS block_number
      FROM outgoing_transfers WHERE network = ${network} AND kind = 'to-cold' GROUP BY currency`;
  }

  /** Of the hot wallet's tokens, what is ordered to leave it, and had not left it in this block. */
  async leavingHot(network: EvmNetwork, block: number): Promise<Map<TokenCurrency, bigint>> {
    const rows = await this.database.$queryRaw<{ currency: TokenCurrency; units: string }[]>`
      SELECT currency, sum(units)::text AS units FROM outgoing_transfers
      WHERE network = ${network} AND kind IN ('payout', 'to-cold')
        AND (state IN ('waiting', 'sent') OR state = 'completed' AND block_number > ${block}::bigint)
      GROUP BY currency`;
    return new Map(rows.map(({ currency, units }) => [currency, BigInt(units)]));
  }

  /** Of deposits up to this block that may still be replaced, by address and currency. */
  async replaceable(network: EvmNetwork, addresses: readonly Hex[], upTo: number): Promise<Map<string, bigint>> {
    const rows = await this.database.$queryRaw<{ address: Hex; currency: TokenCurrency; units: string }[]>`
      SELECT '0x' || encode(to_address, 'hex') AS address, currency, sum(units)::text AS units FROM deposits
      WHERE network = ${network} AND standing = 'included' AND currency IS NOT NULL AND block_number <= ${upTo}::bigint
        AND to_address = ANY (${arrayColumn(addresses.map(byteaText))}::bytea[])
      GROUP BY to_address, currency`;
    return new Map(rows.map(({ address, currency, units }) => [`${address}:${currency}`, BigInt(units)]));
  }
}
