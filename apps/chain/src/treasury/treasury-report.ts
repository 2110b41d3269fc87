import { Injectable } from '@nestjs/common';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TokenCurrency } from '@stablecoin/chains/tokens';
import { TransferKind } from '@stablecoin/contracts/chain/views';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { ChainDatabase } from '../persistence/chain-database';
import { Asset, COINS, Place } from './treasury-store';

/** Over the addresses of a place; of deposit addresses apart those with more than is left there. */
export interface HeldSum {
  place: Place;
  asset: Asset;
  is_above: boolean;
  units: string;
  addresses: number;
}

interface HotWallet {
  address: Hex;
  wei: string;
  transfers: number | null;
  blockNumber: number;
  readAt: Date;
}

export interface TreasuryReport {
  held: HeldSum[];
  hot: HotWallet | undefined;
  cold_address: Hex | null;
  depositAddressesWei: string;
  underWay: { currency: TokenCurrency | null; kind: TransferKind; units: string }[];
  rest: { currency: TokenCurrency; units: string }[];
  feesWei: string;
  gasWei: string;
}

/** What is stored of all that we hold on a network, in sums. */
@Injectable()
export class TreasuryReportQuery {
  constructor(private readonly database: ChainDatabase) {}

  /** @param thresholds units by currency, above which a deposit address is swept */
  async of(network: EvmNetwork, thresholds: ReadonlyMap<string, bigint>): Promise<TreasuryReport> {
    const [held, hot, cold_address, underWay, rest, paid] = await Promise.all([
      this.held(network, thresholds),
      this.hot(network),
      this.coldAddress(network),
      this.underWay(network),
      this.rest(network),
      this.paid(network),
    ]);
    const coins = held.filter(({ place, asset }) => place === 'deposit' && asset === COINS);
    return {
      ...{ held, hot, cold_address, underWay, rest },
      depositAddressesWei: coins.reduce((sum, { units }) => sum + BigInt(units), 0n).toString(),
      feesWei: paid.get('fee') ?? '0',
      gasWei: paid.get('gas') ?? '0',
    };
  }

  async hot(network: EvmNetwork): Promise<HotWallet | undefined> {
    const [row] = await this.database.$queryRaw<
      { address: Hex; wei: string; transfers: number | null; block_number: bigint; read_at: Date }[]
    >`
      SELECT '0x' || encode(address, 'hex') AS address, units::text AS wei, block_number, read_at,
        floor(units / nullif(transfer_fee_wei, 0))::float8 AS transfers
      FROM holdings JOIN treasuries USING (network)
      WHERE network = ${network} AND place = 'hot' AND asset = ${COINS}`;
    if (!row) return undefined;
    const { address, wei, transfers, block_number, read_at } = row;
    return { address, wei, transfers, blockNumber: Number(block_number), readAt: read_at };
  }

  async hotTokens(network: EvmNetwork): Promise<{ currency: TokenCurrency; units: string }[]> {
    return this.database.$queryRaw<{ currency: TokenCurrency; units: string }[]>`
      SELECT asset AS currency, units::text AS units FROM holdings
      WHERE network = ${network} AND place = 'hot' AND asset <> ${COINS} ORDER BY asset DESC`;
  }

  private held(network: EvmNetwork, thresholds: ReadonlyMap<string, bigint>): Promise<HeldSum[]> {
    const [assets, limits] = [arrayColumn([...thresholds.keys()]), arrayColumn([...thresholds.values()].map(String))];
    return this.database.$queryRaw<HeldSum[]>`
      SELECT place, asset, coalesce(place = 'deposit' AND units > above, false) AS is_above, sum(units)::text AS units,
        count(*)::int AS addresses
      FROM holdings LEFT JOIN unnest(${assets}::text[], ${limits}::numeric[]) AS threshold (asset, above) USING (asset)
      WHERE network = ${network} AND units > 0 GROUP BY place, asset, is_above`;
  }

  private async coldAddress(network: EvmNetwork): Promise<Hex | null> {
    const [row] = await this.database.$queryRaw<{ address: Hex }[]>`
      SELECT '0x' || encode(address, 'hex') AS address FROM holdings
      WHERE network = ${network} AND place = 'cold' AND asset = ${COINS}`;
    return row?.address ?? null;
  }

  private underWay(network: EvmNetwork): Promise<TreasuryReport['underWay']> {
    return this.database.$queryRaw<TreasuryReport['underWay']>`
      SELECT currency, kind, sum(units)::text AS units FROM outgoing_transfers
      WHERE network = ${network} AND state IN ('waiting', 'sent') GROUP BY currency, kind`;
  }

  private rest(network: EvmNetwork): Promise<TreasuryReport['rest']> {
    return this.database.$queryRaw<TreasuryReport['rest']>`
      SELECT currency, sum(rest_units)::text AS units FROM deposits
      WHERE network = ${network} AND booked = 'completed' AND rest_units > 0 GROUP BY currency`;
  }

  private async paid(network: EvmNetwork): Promise<Map<string, string>> {
    const rows = await this.database.$queryRaw<{ kind: string; wei: string }[]>`
      SELECT kind, sum(wei)::text AS wei FROM treasury_entries WHERE network = ${network} GROUP BY kind`;
    return new Map(rows.map(({ kind, wei }) => [kind, wei]));
  }
}
