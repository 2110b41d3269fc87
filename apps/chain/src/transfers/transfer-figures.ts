import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { TRANSFER_HOLDS } from '@stablecoin/contracts/chain/views';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { readAtScrape } from '@stablecoin/telemetry/metrics/instruments';
import { ChainNodes } from '../nodes/chain-nodes';
import { ChainDatabase } from '../persistence/chain-database';

interface OpenRow {
  network: string;
  waiting: number;
  sent: number;
  oldest: number;
  stopped: number;
}

/** What is not at its end, read from the database when Prometheus scrapes. Every instance reports the same. */
@Injectable()
export class TransferFigures implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopMeasuring: (() => void)[] = [];

  constructor(
    private readonly database: ChainDatabase,
    private readonly nodes: ChainNodes,
  ) {}

  onApplicationBootstrap(): void {
    let asked: Promise<OpenRow[]> = Promise.resolve([]);
    const eachOf = async (value: (row: OpenRow) => number) =>
      (await asked).map((row) => ({ labels: { network: row.network }, value: value(row) }));
    this.stopMeasuring = [
      // All are read in the same turn of the event loop: one statement serves them.
      readAtScrape('chain_transfers_open', async () => {
        asked = this.open();
        return (await asked).flatMap(({ network, waiting, sent }) => [
          { labels: { network, state: 'waiting' }, value: waiting },
          { labels: { network, state: 'sent' }, value: sent },
        ]);
      }),
      readAtScrape('chain_transfer_oldest_unconfirmed_seconds', () => eachOf(({ oldest }) => oldest)),
      readAtScrape('chain_lanes_stopped', () => eachOf(({ stopped }) => stopped)),
      readAtScrape('chain_transfers_held', async () =>
        (await this.held()).map(({ network, by, count }) => ({ labels: { network, by }, value: count })),
      ),
    ];
  }

  beforeApplicationShutdown(): void {
    this.stopMeasuring.forEach((stop) => stop());
  }

  private open(): Promise<OpenRow[]> {
    return this.database.$queryRaw<OpenRow[]>`
      SELECT network, count(id) FILTER (WHERE state = 'waiting')::int AS waiting,
        count(id) FILTER (WHERE state = 'sent')::int AS sent,
        coalesce(extract(epoch FROM clock_timestamp() -
          min(created_at) FILTER (WHERE held_by IS DISTINCT FROM 'transfer_missing')), 0)::float8 AS oldest,
        count(DISTINCT from_address) FILTER (WHERE held_by = 'nonce_taken')::int AS stopped
      FROM unnest(${arrayColumn(this.nodes.networks)}::text[]) AS network
      LEFT JOIN (SELECT * FROM outgoing_transfers WHERE state IN ('waiting', 'sent')) AS open USING (network)
      GROUP BY network`;
  }

  private held(): Promise<{ network: string; by: string; count: number }[]> {
    return this.database.$queryRaw<{ network: string; by: string; count: number }[]>`
      SELECT network, by, count(id)::int AS count
      FROM unnest(${arrayColumn(this.nodes.networks)}::text[]) AS network
      CROSS JOIN unnest(${arrayColumn(TRANSFER_HOLDS)}::text[]) AS by
      LEFT JOIN (SELECT * FROM outgoing_transfers WHERE state IN ('waiting', 'sent')) AS open
        ON open.network = network.network AND held_by = by
      GROUP BY network, by`;
  }
}
