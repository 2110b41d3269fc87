/**
 * One pass over the log, page by page, in constant memory. Each page: what can be told from its rows alone
 * (LogInspector) → what its events name is loaded → each event is held against the ledger so far and folded in
 * → the page is projected into the scratch tables. A shard is followed to its first fault and no further.
 *
 * The database is kept busy meanwhile: while a page is inspected, the one before it is being written and the one after
 * it is being read. Memory holds three pages at the most.
 */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { EventRow, readEventRows } from '@stablecoin/ledger-store/event-rows';
import { Sql } from '@stablecoin/persistence/sql';
import { earlier, LogFault } from '../log/fault';
import { ruleBroken } from '../log/ledger-rules';
import { Head, LogInspector } from '../log/log-inspector';
import { RebuildLimits, ShardRebuild } from './shard-rebuild';

export interface ShardHead {
  shard: number;
  /** None, where the shard has lost its row in `ledger_shards`. */
  head: Head | undefined;
}

export interface ShardOutcome {
  shard: number;
  /** Up to the fault, or all. */
  events: number;
  head_hash: string;
  fault: LogFault | null;
}

export interface RebuildOptions {
  pageSize?: number;
  limits?: RebuildLimits;
  onProgress?: (events: number) => void;
  /** Is given every page that could be folded. */
  onPage?: (page: readonly RecordedEvent[], rows: readonly EventRow[]) => Promise<void>;
}

export const PAGE_SIZE = 4_000;
const INSPECTED_AT_ONCE = 250;

/** Every shard that has a head, or events. */
export async function readShards(sql: Sql): Promise<ShardHead[]> {
  const rows = await sql.$queryRaw<{ shard: number; head_position: bigint | null; head_hash: Uint8Array | null }[]>`
    WITH RECURSIVE logged AS (
      (SELECT shard FROM ledger_events ORDER BY shard LIMIT 1)
      UNION ALL
      SELECT (SELECT shard FROM ledger_events WHERE shard > logged.shard ORDER BY shard LIMIT 1)
      FROM logged WHERE logged.shard IS NOT NULL
    )
    SELECT shard, head_position, head_hash
    FROM ledger_shards FULL JOIN (SELECT shard FROM logged WHERE shard IS NOT NULL) AS logged USING (shard)
    ORDER BY shard`;
  return rows.map(({ shard, head_position, head_hash }) => ({
    shard,
    head: head_hash === null ? undefined : { position: Number(head_position), hash: head_hash },
  }));
}

export async function rebuildLog(
  sql: Sql,
  shards: readonly ShardHead[],
  options: RebuildOptions = {},
): Promise<ShardOutcome[]> {
  const outcomes: ShardOutcome[] = [];
  for (const shard of shards) outcomes.push(await rebuildShard(sql, shard, options));
  return outcomes;
}

async function rebuildShard(sql: Sql, { shard, head }: ShardHead, options: RebuildOptions): Promise<ShardOutcome> {
  const follower = new ShardFollower(shard, options);
  await follower.followToTheEnd(sql);
  return follower.finish(head);
}

/** A page as it was read, up to its first fault. */
interface Page {
  rows: readonly EventRow[];
  events: readonly RecordedEvent[];
  fault: LogFault | undefined;
  /** Of the log up to here. */
  head: Head;
}

/** Follows the log of one shard, a page at a time, into the tables that the connection's names mean. */
export class ShardFollower {
  private readonly inspector: LogInspector;
  private readonly rebuild: ShardRebuild;
  private found: LogFault | undefined;
  private head: Head;
  private folded = 0;
  private after = 0;

  constructor(
    readonly shard: number,
    private readonly options: RebuildOptions,
  ) {
    this.inspector = new LogInspector(shard);
    this.head = this.inspector.head;
    this.rebuild = new ShardRebuild(shard, options.limits);
  }

  get fault(): LogFault | undefined {
    return this.found;
  }

  /** The last position that was read. */
  get position(): number {
    return this.after;
  }

  /** @returns how many events there were; none after the last, and after a fault */
  async step(sql: Sql): Promise<number> {
    if (this.found) return 0;
    const rows = await this.read(sql);
    const { written } = await this.fold(sql, await this.inspect(rows));
    await written;
    return rows.length;
  }

  /** All steps, each begun before the one before it has ended. */
  async followToTheEnd(sql: Sql): Promise<void> {
    let reading = settled(this.read(sql));
    let writing: Promise<unknown> = Promise.resolve();
    for (;;) {
      const read = await reading;
      const rows = 'value' in read ? read.value : [];
      if (rows.length > 0) reading = settled(this.read(sql));
      const page = await this.inspect(rows);
      await writing;
      // A statement after one that failed fails too, before the savepoint is rolled back to: only then it may.
      if (this.found) break;
      if ('error' in read) throw read.error;
      if (rows.length === 0) return;
      writing = (await this.fold(sql, page)).written;
    }
    await reading;
  }

  private async read(sql: Sql): Promise<EventRow[]> {
    const rows = await readEventRows(sql, this.shard, this.after, this.options.pageSize ?? PAGE_SIZE);
    this.after = rows.at(-1)?.position ?? this.after;
    return rows;
  }

  /** With a pause now and then, in which whatever the database has answered meanwhile goes on. */
  private async inspect(rows: readonly EventRow[]): Promise<Page> {
    const events: RecordedEvent[] = [];
    for (const [index, row] of rows.entries()) {
      if (index % INSPECTED_AT_ONCE === 0) await new Promise(setImmediate);
      const recorded = this.inspector.follow(row);
      if (recorded) events.push(recorded);
    }
    return { rows, events, fault: this.inspector.fault, head: this.inspector.head };
  }

  /** Folds in memory. @returns what goes on beside: the tables that learn of it, and then whoever else follows */
  private async fold(sql: Sql, page: Page): Promise<{ written: Promise<void> }> {
    const fault = await applyAll(sql, this.rebuild, page.events, false);
    const written = this.write(sql, page, fault);
    // Whoever awaits it sees the error; until then it is no unhandled one.
    written.catch(() => undefined);
    return { written };
  }

  /**
   * What a page opens is taken for new at first: the tables refuse what isn't. A page with a fault is folded once more
   * from what the tables know, with everything looked up, and so the first fault of the page is found exactly.
   */
  private async write(sql: Sql, page: Page, folding: LogFault | undefined): Promise<void> {
    const fault = folding ?? (await writeAll(sql, this.rebuild, page.events));
    const exact = fault && ((await this.foldAgain(sql, page.events)) ?? fault);
    this.found = earlier(page.fault, exact);
    this.head = page.head;
    if (!this.found) await this.options.onPage?.(page.events, page.rows);
    this.folded += page.events.length;
    this.options.onProgress?.(page.events.length);
  }

  private async foldAgain(sql: Sql, events: readonly RecordedEvent[]): Promise<LogFault | undefined> {
    this.rebuild.forget();
    return (await applyAll(sql, this.rebuild, events, true)) ?? (await writeAll(sql, this.rebuild, events));
  }

  /** Memory that is of no use until there are more events. */
  forget(): void {
    this.rebuild.forget();
  }

  /** When the last step found nothing: whether the log ends where the shard's head says. It may go on afterwards. */
  finish(head: Head | undefined): ShardOutcome {
    const { shard, inspector } = this;
    if (!this.found) inspector.finish(head);
    this.found = earlier(this.found, inspector.fault);
    const head_hash = Buffer.from(this.head.hash).toString('hex');
    const events = this.found ? this.found.position - 1 : this.folded;
    return { shard, events, head_hash, fault: this.found ?? null };
  }
}

async function applyAll(
  sql: Sql,
  rebuild: ShardRebuild,
  events: readonly RecordedEvent[],
  openings: boolean,
): Promise<LogFault | undefined> {
  if (events.length === 0) return undefined;
  await rebuild.prepare(sql, events, openings);
  for (const recorded of events) {
    const problem = ruleBroken(rebuild.state, recorded) ?? applied(rebuild, recorded);
    if (problem) return { shard: recorded.shard, position: recorded.position, problem };
  }
  return undefined;
}

function applied(rebuild: ShardRebuild, recorded: RecordedEvent): string | undefined {
  try {
    rebuild.state.apply(recorded);
    return undefined;
  } catch (error) {
    return `cannot be folded: ${(error as Error).message}`;
  }
}

/** What the tables refuse is the log's fault; the savepoint keeps the snapshot alive for the other shards. */
async function writeAll(
  sql: Sql,
  rebuild: ShardRebuild,
  events: readonly RecordedEvent[],
): Promise<LogFault | undefined> {
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last) return undefined;
  await sql.$executeRaw`SAVEPOINT page`;
  try {
    await rebuild.write(sql, events);
  } catch (error) {
    await sql.$executeRaw`ROLLBACK TO SAVEPOINT page`;
    const refused = (error as Error).message.trim().split('\n').at(-1);
    const problem = `positions ${first.position} to ${last.position} cannot be projected: ${refused}`;
    return { shard: first.shard, position: first.position, problem };
  }
  await sql.$executeRaw`RELEASE SAVEPOINT page`;
  return undefined;
}

/** The outcome as a value, so that one that is waited for later is never unhandled. */
function settled<Value>(work: Promise<Value>): Promise<{ value: Value } | { error: unknown }> {
  return work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}
