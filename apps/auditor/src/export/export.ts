/**
 * The log as lines, page by page, no faster than the reader takes them. Each page is a query of its own: an append-only
 * log doesn't change, so no snapshot is held for a slow reader.
 */
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EventRow, readEventRows } from '@stablecoin/ledger-store/event-rows';
import { PlacedShard } from '../database/where-shards-are';

export interface ExportOptions {
  /** A position; only with a single shard. */
  after?: number;
  limit?: number;
  pageSize?: number;
}

const PAGE_SIZE = 1_000;
/** Error codes of a stream whose reader went away. */
const GONE = new Set(['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_UNABLE_TO_PIPE']);

/** A reader that goes away ends the export early and without an error. */
export async function exportEvents(
  placed: readonly PlacedShard[],
  output: Writable,
  options: ExportOptions,
): Promise<void> {
  try {
    await pipeline(Readable.from(linesOf(placed, options)), output, { end: false });
  } catch (error) {
    if (!GONE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

async function* linesOf(
  placed: readonly PlacedShard[],
  { after = 0, limit = Infinity, pageSize = PAGE_SIZE }: ExportOptions,
): AsyncGenerator<string> {
  let left = limit;
  for (const { shard, database: sql } of placed) {
    let position = after;
    while (left > 0) {
      const rows = await readEventRows(sql, shard, position, Math.min(pageSize, left));
      for (const row of rows) yield exportLine(row);
      left -= rows.length;
      const last = rows.at(-1);
      if (!last) break;
      position = last.position;
    }
  }
}

/** `body` is the stored text itself, over which the hash was computed. */
export function exportLine({ shard, position, hash, body }: EventRow): string {
  return `${JSON.stringify({ shard, position, hash: hash.toString('hex'), body })}\n`;
}
