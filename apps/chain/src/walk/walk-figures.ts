import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { UNRECOGNISED_REASONS, UnrecognisedReason } from '@stablecoin/contracts/chain/views';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { readAtScrape } from '@stablecoin/telemetry/metrics/instruments';
import { ChainNodes } from '../nodes/chain-nodes';
import { ChainDatabase } from '../persistence/chain-database';

interface WalkFigureRow {
  network: string;
  lag: number;
  finality_lag: number;
  age: number;
}

interface StandingRow {
  network: string;
  standing: string;
  count: number;
}

/** How far each walk is, and what is open, read from the database when Prometheus scrapes. Every instance reports the same. */
@Injectable()
export class WalkFigures implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopMeasuring: (() => void)[] = [];

  constructor(
    private readonly database: ChainDatabase,
    private readonly nodes: ChainNodes,
  ) {}

  onApplicationBootstrap(): void {
    let asked: Promise<WalkFigureRow[]> = Promise.resolve([]);
    const eachOf = async (value: (row: WalkFigureRow) => number) =>
      (await asked).map((row) => ({ labels: { network: row.network }, value: value(row) }));
    this.stopMeasuring = [
      // All are read in the same turn of the event loop: one statement serves them.
      readAtScrape('chain_walk_lag_blocks', () => {
        asked = this.walks();
        return eachOf(({ lag }) => lag);
      }),
      readAtScrape('chain_finality_lag_blocks', () => eachOf(({ finality_lag }) => finality_lag)),
      readAtScrape('chain_tip_age_seconds', () => eachOf(({ age }) => age)),
      readAtScrape('chain_deposits_open', async () =>
        (await this.openDeposits()).map(({ network, standing, count }) => ({
          labels: { network, standing },
          value: count,
        })),
      ),
      readAtScrape('chain_node_lag_blocks', () =>
        this.nodes.nodeLags().map(({ network, node, blocks }) => ({ labels: { network, node }, value: blocks })),
      ),
      readAtScrape('chain_deposits_unrecognised', async () =>
        (await this.unrecognised()).map(({ reason, count }) => ({ labels: { reason }, value: count })),
      ),
      readAtScrape('chain_deposit_oldest_due_seconds', async () => [{ labels: {}, value: await this.oldestDue() }]),
    ];
  }

  beforeApplicationShutdown(): void {
    this.stopMeasuring.forEach((stop) => stop());
  }

  private walks(): Promise<WalkFigureRow[]> {
    return this.database.$queryRaw<WalkFigureRow[]>`
      SELECT network, (head_number - tip_number)::int AS lag, (head_number - final_number)::int AS finality_lag,
        (extract(epoch FROM clock_timestamp()) - tip_timestamp)::float8 AS age FROM walks`;
  }

  private openDeposits(): Promise<StandingRow[]> {
    return this.database.$queryRaw<StandingRow[]>`
      SELECT network, standing, count(deposits.id)::int AS count
      FROM walks CROSS JOIN (VALUES ('included'), ('orphaned')) AS open (standing)
      LEFT JOIN deposits USING (network, standing) GROUP BY network, standing`;
  }

  private unrecognised(): Promise<{ reason: UnrecognisedReason; count: number }[]> {
    return this.database.$queryRaw<{ reason: UnrecognisedReason; count: number }[]>`
      SELECT reason, count(deposits.id)::int AS count FROM unnest(${arrayColumn(UNRECOGNISED_REASONS)}::text[]) AS reason
      LEFT JOIN deposits ON unrecognised_reason = reason AND booked = 'unrecognised' AND standing <> 'gone'
      GROUP BY reason`;
  }

  /** Of steps that the ledger has not answered: 0 where none is overdue. */
  private async oldestDue(): Promise<number> {
    const [row] = await this.database.$queryRaw<{ age: number | null }[]>`
      SELECT extract(epoch FROM clock_timestamp() - min(updated_at))::float8 AS age
      FROM deposits WHERE next_step_at IS NOT NULL`;
    return row?.age ?? 0;
  }
}
