import { GaugeName } from '@stablecoin/telemetry/metrics/catalogue';
import { readAtScrape } from '@stablecoin/telemetry/metrics/instruments';
import type { Checkpointer } from '../checkpoints/checkpointer';
import type { WitnessPublisher } from '../checkpoints/witness-publisher';
import type { FactRelay } from '../relay/fact-relay';
import type { ShardWriter } from '../event-log/shard-writer';

interface MeasuredShard {
  writer: Pick<ShardWriter, 'figures'>;
  relay: Pick<FactRelay, 'lag'>;
  checkpointer: Pick<Checkpointer, 'isLogBroken'>;
  publishers: readonly Pick<WitnessPublisher, 'witness' | 'behindMs'>[];
}

type ShardGauge = Extract<GaugeName, `ledger_${'queue' | 'head' | 'relay' | 'log'}_${string}`>;

const FIGURES: Readonly<Record<ShardGauge, (shard: MeasuredShard) => number | undefined>> = {
  ledger_queue_depth: ({ writer }) => writer.figures.queued,
  ledger_queue_oldest_wait_seconds: ({ writer }) => writer.figures.oldestWaitMs / 1_000,
  ledger_head_position: ({ writer }) => writer.figures.position,
  ledger_relay_lag_positions: ({ writer, relay }) => relay.lag(writer.figures.position).positions,
  ledger_relay_lag_seconds: ({ writer, relay }) => relay.lag(writer.figures.position).seconds,
  ledger_log_broken: ({ checkpointer }) => (checkpointer.isLogBroken ? 1 : 0),
};

/** The held shards of one database. */
interface MeasuredDatabase {
  name: string;
  held: ReadonlyMap<number, MeasuredShard>;
  unseenMs: number;
  clockOffsetMs: number | undefined;
}

/** Gives the figures of each held shard at every scrape. @returns ends it */
export function measureShards(shards: number, databases: readonly MeasuredDatabase[]): () => void {
  const held = () => databases.flatMap((database) => [...database.held]);
  const ofEach = Object.entries(FIGURES).map(([name, figure]) =>
    readAtScrape(name as ShardGauge, () =>
      held().flatMap(([shard, of]) => {
        const value = figure(of);
        return value === undefined ? [] : { labels: { shard: String(shard) }, value };
      }),
    ),
  );
  const ends = [
    ...ofEach,
    readAtScrape('ledger_unwitnessed_seconds', () =>
      held().flatMap(([shard, { publishers }]) =>
        publishers.map(({ witness, behindMs }) => ({
          labels: { shard: String(shard), witness },
          value: behindMs / 1_000,
        })),
      ),
    ),
    readAtScrape('ledger_shards', () => [{ labels: {}, value: shards }]),
    readAtScrape('ledger_shards_owned', () => [{ labels: {}, value: held().length }]),
    readAtScrape('ledger_database_shards', () =>
      databases.map((database) => ({ labels: { database: database.name }, value: database.held.size })),
    ),
    readAtScrape('ledger_database_unseen_seconds', () =>
      databases.map(({ name, unseenMs }) => ({ labels: { database: name }, value: unseenMs / 1_000 })),
    ),
    readAtScrape('ledger_database_clock_offset_seconds', () =>
      databases.flatMap(({ name, clockOffsetMs: offset }) =>
        offset === undefined ? [] : [{ labels: { database: name }, value: offset / 1_000 }],
      ),
    ),
  ];
  return () => ends.forEach((end) => end());
}
