import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { SCREENED_MOVEMENTS } from '@stablecoin/contracts/customer/screen-movement';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { currentLists, staleAt } from '@stablecoin/customer-store/screening/screening-lists';
import { initializeSeries, readAtScrape } from '@stablecoin/telemetry/metrics/instruments';

const OPENED_BY = ['screening', 'list'] as const;

/** Open cases and the age of lists, read from the database when Prometheus scrapes: every instance reports the same. */
@Injectable()
export class ScreeningFigures implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopMeasuring: (() => void)[] = [];

  constructor(
    private readonly database: CustomerDatabase,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const decision = ['clear', 'held', 'released', 'rejected', 'unlisted'];
    initializeSeries('screening_answers_total', { movement: SCREENED_MOVEMENTS, decision });
    this.stopMeasuring = [
      readAtScrape('screening_cases_open', () => this.openCases()),
      readAtScrape('screening_list_seconds_left', () => this.secondsLeft()),
    ];
  }

  beforeApplicationShutdown(): void {
    this.stopMeasuring.forEach((stop) => stop());
  }

  private async openCases() {
    const rows = await this.database.$queryRaw<{ opened_by: string; count: number }[]>`
      SELECT opened_by, count(*)::int AS count FROM screening_cases WHERE state = 'open' GROUP BY opened_by`;
    return OPENED_BY.map((opened_by) => ({
      labels: { opened_by },
      value: rows.find((row) => row.opened_by === opened_by)?.count ?? 0,
    }));
  }

  private async secondsLeft() {
    const lists = await currentLists(this.database);
    if (lists.length === 0) return [];
    const first = Math.min(...lists.map((list) => staleAt(list).getTime()));
    return [{ labels: {}, value: (first - this.clock.now().getTime()) / 1_000 }];
  }
}
