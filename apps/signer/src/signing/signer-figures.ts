import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { EVM_NETWORKS } from '@stablecoin/chains/chains';
import { MOVEMENT_KINDS } from '@stablecoin/contracts/signer/movement';
import { SIGNING_REFUSALS } from '@stablecoin/contracts/signer/sign-transfer';
import { initializeSeries, readAtScrape } from '@stablecoin/telemetry/metrics/instruments';
import type { SpendingName } from '../rules/signing-memory';
import type { Cap } from '../rules/spending-caps';
import { SignerConfiguration } from '../signer.configuration';
import { SigningJournal } from './signing-journal';

/** How much of each day's cap is used, read when Prometheus scrapes, and all counters from 0 on. */
@Injectable()
export class SignerFigures implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopMeasuring = (): void => undefined;

  constructor(
    private readonly configuration: SignerConfiguration,
    private readonly journal: SigningJournal,
  ) {}

  onApplicationBootstrap(): void {
    initializeSeries('signer_refusals_total', { reason: SIGNING_REFUSALS });
    initializeSeries('signer_signatures_total', { network: EVM_NETWORKS, movement: MOVEMENT_KINDS });
    this.stopMeasuring = readAtScrape('signer_daily_cap_used_ratio', () => this.used());
  }

  beforeApplicationShutdown(): void {
    this.stopMeasuring();
  }

  private used() {
    const { payouts, gas, fees } = this.configuration.caps;
    return [
      ...[...payouts].map(([name, cap]) => this.usedOf(name, cap)),
      ...[...gas].map(([network, cap]) => this.usedOf(`${network}:gas`, cap)),
      ...[...fees].map(([network, cap]) => this.usedOf(`${network}:fees`, cap)),
    ];
  }

  private usedOf(name: SpendingName, { perDay }: Cap) {
    const [network = '', of = ''] = name.split(':');
    const spent = this.journal.memory.spentWithinDay(name, this.journal.now());
    return { labels: { network, of }, value: perDay === 0n ? 0 : Number((spent * 10_000n) / perDay) / 10_000 };
  }
}
