import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TokenCurrency, tokenOf } from '@stablecoin/chains/tokens';
import { readAtScrape } from '@stablecoin/telemetry/metrics/instruments';
import { ChainConfiguration } from '../chain.configuration';
import { ChainDatabase } from '../persistence/chain-database';

interface HeldRow {
  network: EvmNetwork;
  currency: TokenCurrency;
  units: number;
}

interface HotCoinsRow {
  network: EvmNetwork;
  age: number;
  transfers: number | null;
}

/**
 * What we hold and how well it lasts, read from the database when Prometheus scrapes. Every instance reports the same. Amounts
 * are rounded to doubles here and nowhere else, as gauges are: no decision is made upon them.
 */
@Injectable()
export class TreasuryFigures implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopMeasuring: (() => void)[] = [];

  constructor(
    private readonly database: ChainDatabase,
    private readonly configuration: ChainConfiguration,
  ) {}

  onApplicationBootstrap(): void {
    this.stopMeasuring = [
      readAtScrape('chain_hot_tokens', async () => (await this.held('hot')).map(figureOf)),
      readAtScrape('chain_deposit_addresses_tokens', async () => (await this.held('deposit')).map(figureOf)),
      readAtScrape('chain_hot_minimum_tokens', () =>
        [...this.configuration.hotMin].map(([currency, amount]) => ({ labels: { currency }, value: Number(amount) })),
      ),
      readAtScrape('chain_treasury_age_seconds', async () =>
        (await this.hotCoins()).map(({ network, age }) => ({ labels: { network }, value: age })),
      ),
      readAtScrape('chain_hot_coins_transfers', async () =>
        (await this.hotCoins()).flatMap(({ network, transfers }) =>
          transfers === null ? [] : [{ labels: { network }, value: transfers }],
        ),
      ),
    ];
  }

  beforeApplicationShutdown(): void {
    this.stopMeasuring.forEach((stop) => stop());
  }

  private held(place: 'hot' | 'deposit'): Promise<HeldRow[]> {
    return this.database.$queryRaw<HeldRow[]>`
      SELECT network, asset AS currency, sum(units)::float8 AS units FROM holdings
      WHERE place = ${place} AND asset <> 'coins' GROUP BY network, asset`;
  }

  private hotCoins(): Promise<HotCoinsRow[]> {
    return this.database.$queryRaw<HotCoinsRow[]>`
      SELECT network, extract(epoch FROM clock_timestamp() - read_at)::float8 AS age,
        floor(units / nullif(transfer_fee_wei, 0))::float8 AS transfers
      FROM holdings JOIN treasuries USING (network) WHERE place = 'hot' AND asset = 'coins'`;
  }
}

function figureOf({ network, currency, units }: HeldRow) {
  return { labels: { network, currency }, value: units / 10 ** (tokenOf(network, currency)?.decimals ?? 0) };
}
