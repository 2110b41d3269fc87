import { Sql } from './sql';

/** Up to where a consumer has had every fact: on the stream, and in the log of each shard. */
export interface FactProgress {
  streamCreatedAt: Date;
  /** Of the stream's messages. */
  sequence: number;
  positions: readonly { shard: number; position: number }[];
}

/**
 * Needs a table `fact_progress (consumer text, shard int, position bigint, stream_created_at timestamptz(3),
 * stream_sequence bigint, primary key (consumer, shard))`.
 */
export async function readFactProgress(sql: Sql, consumer: string): Promise<FactProgress | undefined> {
  const rows = await sql.$queryRaw<
    { shard: number; position: bigint; stream_created_at: Date; stream_sequence: bigint }[]
  >`SELECT shard, position, stream_created_at, stream_sequence FROM fact_progress WHERE consumer = ${consumer}`;
  const [any] = rows;
  return (
    any && {
      streamCreatedAt: any.stream_created_at,
      sequence: Number(any.stream_sequence),
      positions: rows.map(({ shard, position }) => ({ shard, position: Number(position) })),
    }
  );
}

/** One statement, so that all shards' rows are of one moment. */
export async function storeFactProgress(sql: Sql, consumer: string, progress: FactProgress): Promise<void> {
  const { streamCreatedAt, sequence, positions } = progress;
  await sql.$executeRaw`
    INSERT INTO fact_progress (consumer, shard, position, stream_created_at, stream_sequence)
    SELECT ${consumer}, place.shard, place.position, ${streamCreatedAt}::timestamptz, ${sequence}::bigint
    FROM unnest(
      ${positions.map(({ shard }) => shard)}::int[],
      ${positions.map(({ position }) => BigInt(position))}::bigint[]
    ) AS place (shard, position)
    ON CONFLICT (consumer, shard) DO UPDATE SET
      position = excluded.position,
      stream_created_at = excluded.stream_created_at,
      stream_sequence = excluded.stream_sequence`;
}
