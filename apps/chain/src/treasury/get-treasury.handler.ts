import { Hex } from '@stablecoin/chain-node/chain-node';
import { CHAINS, EvmNetwork } from '@stablecoin/chains/chains';
import { Token, TOKENS } from '@stablecoin/chains/tokens';
import { toLedgerAmount } from '@stablecoin/chains/units';
import {
  GetTreasury,
  getTreasury,
  HeldAtAddresses,
  Holding,
  NetworkTreasury,
  TokenTreasury,
} from '@stablecoin/contracts/chain/get-treasury';
import { TransferKind } from '@stablecoin/contracts/chain/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { ChainConfiguration } from '../chain.configuration';
import { ChainNodes } from '../nodes/chain-nodes';
import { OurKeys } from '../transfers/our-keys';
import { AmountsByCurrency } from './amounts-by-currency';
import { limitUnits } from './limits';
import { HeldSum, TreasuryReport, TreasuryReportQuery } from './treasury-report';

@Handles(getTreasury)
export class GetTreasuryHandler {
  constructor(
    private readonly report: TreasuryReportQuery,
    private readonly nodes: ChainNodes,
    private readonly keys: OurKeys,
    private readonly configuration: ChainConfiguration,
  ) {}

  async execute({ network }: GetTreasury): Promise<{ networks: NetworkTreasury[] }> {
    const asked = this.nodes.networks.filter((each) => network === undefined || each === network);
    if (network !== undefined && asked.length === 0) throw new Refusal('not_found');
    return { networks: await asRefusal(() => Promise.all(asked.map((each) => this.treasuryOf(each)))) };
  }

  private async treasuryOf(network: EvmNetwork): Promise<NetworkTreasury> {
    const report = await this.report.of(network, this.thresholds(network));
    const tokens = TOKENS.filter((token) => token.network === network).map((token) => this.tokenView(token, report));
    const hotAddress = report.hot?.address ?? (await this.hotAddress(network));
    return {
      ...{ network, coin: CHAINS[network].nativeCoin, tokens },
      ...{ hot_address: hotAddress, hot_wei: report.hot?.wei ?? null },
      ...{ cold_address: report.cold_address, hot_wei_transfers: report.hot?.transfers ?? null },
      ...{ deposit_addresses_wei: report.depositAddressesWei, fees_wei: report.feesWei, gas_wei: report.gasWei },
      ...{ block_number: report.hot?.blockNumber ?? null, read_at: report.hot?.readAt.toISOString() ?? null },
    };
  }

  /** Before the treasury has read it, payouts may have left it already. */
  private async hotAddress(network: EvmNetwork): Promise<Hex | null> {
    try {
      return await this.keys.hot(network);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unavailable') return null;
      throw error;
    }
  }

  private tokenView(token: Token, report: TreasuryReport): TokenTreasury {
    const { currency } = token;
    const { sweepAbove, hotMin, hotMax, hotTarget } = this.configuration;
    const sums = (place: HeldSum['place'], isAbove: boolean) =>
      report.held.filter((sum) => sum.asset === currency && sum.place === place && sum.is_above === isAbove);
    const all = (place: HeldSum['place']) => [...sums(place, false), ...sums(place, true)];
    const leaving = (kind: TransferKind) =>
      holdingOf(token, report.underWay.find((row) => row.currency === currency && row.kind === kind)?.units);
    const limit = (amounts: AmountsByCurrency) => limitText(token, limitUnits(amounts, token.network, currency));
    return {
      currency,
      to_sweep: heldAtAddresses(token, sums('deposit', true)),
      below_threshold: heldAtAddresses(token, sums('deposit', false)),
      hot: report.hot === undefined ? null : sumOf(token, all('hot')),
      cold: report.cold_address === null ? null : sumOf(token, all('cold')),
      former: sumOf(token, all('former')),
      under_way: { payouts: leaving('payout'), to_cold: leaving('to-cold'), sweeps: leaving('sweep') },
      rest_units: report.rest.find((row) => row.currency === currency)?.units ?? '0',
      ...{
        sweep_above: limit(sweepAbove),
        hot_min: limit(hotMin),
        hot_max: limit(hotMax),
        hot_target: limit(hotTarget),
      },
    };
  }

  /** By currency: units above which an address is swept. */
  private thresholds(network: EvmNetwork): Map<string, bigint> {
    const limits = [...this.configuration.sweepAbove.keys()].flatMap((currency): [string, bigint][] => {
      const units = limitUnits(this.configuration.sweepAbove, network, currency);
      return units === undefined ? [] : [[currency, units]];
    });
    return new Map(limits);
  }
}

const holdingOf = (token: Token, units = '0'): Holding => ({
  units,
  amount: toLedgerAmount(token, BigInt(units)).amount,
});

const sumOf = (token: Token, sums: readonly HeldSum[]): Holding =>
  holdingOf(token, sums.reduce((sum, { units }) => sum + BigInt(units), 0n).toString());

const heldAtAddresses = (token: Token, sums: readonly HeldSum[]): HeldAtAddresses => ({
  ...sumOf(token, sums),
  addresses: sums.reduce((count, { addresses }) => count + addresses, 0),
});

const limitText = (token: Token, units: bigint | undefined): string | null =>
  units === undefined ? null : toLedgerAmount(token, units).amount;
