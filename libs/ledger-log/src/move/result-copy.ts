/**
 * Copies what the commands of a shard's merchants were answered: a command that is sent again after the move must get its old answer,
 * and not a second effect. The table does not say the shard and is not in the order of the log, so that it is read twice: once as a
 * whole, block after block, and then what was added since, by its time.
 */
import { Sql } from '@stablecoin/persistence/sql';
import { Move, onCopy, OnProgress, paced, parted } from './move';

interface ResultRow {
  command_id: string;
  merchant_id: string;
  input_hash: string;
  result: string;
  created_at: string;
}

const BLOCKS_AT_ONCE = 128;
const ROWS_AT_ONCE = 2_000;
/**
 * A result has the time at which its transaction began. One that was not committed yet when the table was last read began less than this
 * before: a writer waits for the lock of its shard no longer than its statement may take, and is idle within a transaction for less.
 */
const BEGAN_BEFORE_SECONDS = 10;

export class ResultCopy {
  /** When the table was last read, by the source's clock. */
  private readAt: string | undefined;

  constructor(private readonly move: Move) {}

  /** Block after block, so that no statement and no snapshot lasts long. Rows are only ever added to this table. */
  async copyAll(merchants: readonly string[], onProgress?: OnProgress): Promise<void> {
    const { sql } = this.move.source;
    // Of the index by time, what the database has not summarized yet would all be read by each look for the newest rows.
    await sql.$queryRaw`SELECT brin_summarize_new_values('command_results_by_time')`;
    this.readAt = await momentOf(sql);
    const [row] = await sql.$queryRaw<{ blocks: bigint }[]>`
      SELECT pg_relation_size('command_results') / current_setting('block_size')::bigint AS blocks`;
    const blocks = Number(row?.blocks ?? 0);
    if (merchants.length === 0) return;
    for (let from = 0; from < blocks; from += BLOCKS_AT_ONCE) {
      await paced(() => this.copyBlocks(from, from + BLOCKS_AT_ONCE, merchants));
      onProgress?.('results', Math.min(blocks, from + BLOCKS_AT_ONCE), blocks);
    }
  }

  private async copyBlocks(from: number, to: number, merchants: readonly string[]): Promise<void> {
    const [first, end] = [`(${from},0)`, `(${to},0)`];
    const rows = await this.move.source.sql.$queryRaw<ResultRow[]>`
      SELECT command_id::text, merchant_id::text, input_hash, result, created_at::text FROM command_results
      WHERE ctid >= ${first}::tid AND ctid < ${end}::tid AND merchant_id = ANY (${merchants}::uuid[])`;
    await this.store(rows);
  }

  /** What was added since the last time. @param from the source, or the transaction that has locked the shard there */
  async copyTail(from: Sql, merchants: readonly string[]): Promise<void> {
    const since = this.readAt;
    this.readAt = await momentOf(from);
    if (merchants.length === 0) return;
    const recent = await from.$queryRaw<{ command_id: string }[]>`
      SELECT command_id::text FROM command_results
      WHERE created_at >= ${since}::timestamptz - make_interval(secs => ${BEGAN_BEFORE_SECONDS})
        AND merchant_id = ANY (${merchants}::uuid[])`;
    const missing = await this.missing(recent.map(({ command_id }) => command_id));
    if (missing.length === 0) return;
    const rows = await from.$queryRaw<ResultRow[]>`
      SELECT command_id::text, merchant_id::text, input_hash, result, created_at::text FROM command_results
      WHERE command_id = ANY (${missing}::uuid[])`;
    await this.store(rows);
  }

  private async missing(ids: readonly string[]): Promise<string[]> {
    const rows = await this.move.target.sql.$queryRaw<{ command_id: string }[]>`
      SELECT recent.command_id::text FROM unnest(${ids}::uuid[]) AS recent (command_id)
      LEFT JOIN command_results AS stored USING (command_id) WHERE stored.command_id IS NULL`;
    return rows.map(({ command_id }) => command_id);
  }

  private async store(rows: readonly ResultRow[]): Promise<void> {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const part = rows.slice(from, from + ROWS_AT_ONCE);
      await onCopy(this.move, (sql) => this.storePart(sql, part));
    }
  }

  private async storePart(sql: Sql, rows: readonly ResultRow[]): Promise<void> {
    const column = (name: keyof ResultRow) => rows.map((row) => row[name]);
    const ids = column('command_id');
    await sql.$executeRaw`
      INSERT INTO command_results (command_id, merchant_id, input_hash, result, created_at)
      SELECT * FROM unnest(${ids}::uuid[], ${column('merchant_id')}::uuid[], ${column('input_hash')}::text[],
        ${column('result')}::text[], ${column('created_at')}::timestamptz[])
      ON CONFLICT (command_id) DO NOTHING`;
    const [other] = await sql.$queryRaw<{ command_id: string }[]>`
      SELECT command_id::text
      FROM unnest(${ids}::uuid[], ${column('input_hash')}::text[], ${column('result')}::text[]) AS given (command_id, input_hash, result)
      JOIN command_results AS stored USING (command_id)
      WHERE (stored.input_hash, stored.result) IS DISTINCT FROM (given.input_hash, given.result) LIMIT 1`;
    if (other) throw parted(this.move, `the result of command ${other.command_id}`);
  }
}

async function momentOf(sql: Sql): Promise<string> {
  const [row] = await sql.$queryRaw<{ now: string }[]>`SELECT clock_timestamp()::text AS now`;
  if (!row) throw new Error('the database did not tell the time');
  return row.now;
}
