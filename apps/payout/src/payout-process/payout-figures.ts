import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { initializeSeries, readAtScrape } from '@stablecoin/telemetry/metrics/instruments';
import { PayoutDatabase } from '../persistence/payout-database';

interface Unfinished {
  state: string;
  count: number;
  oldest_seconds: number;
  waiting: number;
}

const STATES = ['accepted', 'submitting', 'submitted'];

/**
 * How many payouts have not ended, and how old the oldest is, read from the database when Prometheus scrapes. Every
 * instance reports the same. Payouts that wait for an outcome by hand have no step due and are not counted.
 */
@Injectable()
export class PayoutFigures implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopMeasuring: (() => void)[] = [];

  constructor(private readonly database: PayoutDatabase) {}

  onApplicationBootstrap(): void {
    initializeSeries('payout_steps_total', { state: [...STATES, 'completed'], outcome: ['made', 'failed'] });
    let asked: Promise<Unfinished[]> = Promise.resolve([]);
    this.stopMeasuring = [
      // All are read in the same turn of the event loop: one statement serves them.
      readAtScrape('payout_unfinished', async () => (await (asked = this.unfinished())).map(countOf)),
      readAtScrape('payout_waiting_for_screening', async () => [
        { labels: {}, value: (await asked).reduce((sum, { waiting }) => sum + waiting, 0) },
      ]),
      readAtScrape('payout_oldest_unfinished_seconds', async () => [
        { labels: {}, value: Math.max(0, ...(await asked).map(({ oldest_seconds }) => oldest_seconds)) },
      ]),
    ];
  }

  beforeApplicationShutdown(): void {
    this.stopMeasuring.forEach((stop) => stop());
  }

  /**
   * Uses the index of due payouts: payouts that have ended cost nothing. How old one is that a chain has, the chain service tells;
   * one that is screened waits for people.
   */
  private async unfinished(): Promise<Unfinished[]> {
    const found = await this.database.$queryRaw<Unfinished[]>`
      SELECT state, count(*)::int AS count, coalesce(extract(epoch FROM now() -
          min(created_at) FILTER (WHERE waiting_for IS NULL AND (route IS NULL OR state <> 'submitted'))), 0)::float8
          AS oldest_seconds, (count(*) FILTER (WHERE waiting_for = 'screening'))::int AS waiting
      FROM payouts WHERE next_step_at IS NOT NULL AND state = ANY (${STATES}::text[]) GROUP BY state`;
    const none = { count: 0, oldest_seconds: 0, waiting: 0 };
    return STATES.map((state) => found.find((row) => row.state === state) ?? { state, ...none });
  }
}

const countOf = ({ state, count }: Unfinished) => ({ labels: { state }, value: count });
