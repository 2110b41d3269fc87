/**
 * One pass over the log, page by page, in constant memory. Each page: what can be told from its rows alone
 * (LogInspector) → what its events name is loaded → each event is held against the ledger so far and folded in
 * → the page is projected into the scratch tables. A shard is followed to its first fault and no further.
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
  while (!follower.fault && (await follower.step(sql)) > 0);
  return follower.finish(head);
}

/** Follows the log of one shard, a page at a time, into the tables that the connection's names mean. */
export class ShardFollower {
  private readonly inspector: LogInspector;
  private readonly rebuild: ShardRebuild;
  private found: LogFault | undefined;
  private folded = 0;
  private after = 0;

  constructor(
    readonly shard: number,
    private readonly options: RebuildOptions,
  ) {
    this.inspector = new LogInspector(shard);
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
    const rows = await readEventRows(sql, this.shard, this.after, this.options.pageSize ?? PAGE_SIZE);
    const page = rows.flatMap((row) => this.inspector.follow(row) ?? []);
    this.found = earlier(this.inspector.fault, await fold(sql, this.rebuild, page));
    if (!this.found) await this.options.onPage?.(page, rows);
    this.folded += page.length;
    this.options.onProgress?.(page.length);
    this.after = rows.at(-1)?.position ?? this.after;
    return rows.length;
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
    const head_hash = Buffer.from(inspector.head.hash).toString('hex');
    const events = this.found ? this.found.position - 1 : this.folded;
    return { shard, events, head_hash, fault: this.found ?? null };
  }
}

/**
 * What a page opens is taken for new at first: the tables refuse what isn't. A page with a fault is folded once more
 * from what the tables know, with everything looked up, and so the first fault of the page is found exactly.
 */
async function fold(sql: Sql, rebuild: ShardRebuild, page: readonly RecordedEvent[]): Promise<LogFault | undefined> {
  const fault = await foldOnce(sql, rebuild, page, false);
  if (!fault) return undefined;
  rebuild.forget();
  return (await foldOnce(sql, rebuild, page, true)) ?? fault;
}

async function foldOnce(
  sql: Sql,
  rebuild: ShardRebuild,
  page: readonly RecordedEvent[],
  openings: boolean,
): Promise<LogFault | undefined> {
  const first = page[0];
  const last = page.at(-1);
  if (!first || !last) return undefined;
  await rebuild.prepare(sql, page, openings);
  for (const recorded of page) {
    const problem = ruleBroken(rebuild.state, recorded) ?? applied(rebuild, recorded);
    if (problem) return { shard: recorded.shard, position: recorded.position, problem };
  }
  const refused = await written(sql, rebuild, page);
  const problem = `positions ${first.position} to ${last.position} cannot be projected: ${refused}`;
  return refused === undefined ? undefined : { shard: first.shard, position: first.position, problem };
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
async function written(sql: Sql, rebuild: ShardRebuild, page: readonly RecordedEvent[]): Promise<string | undefined> {
  await sql.$executeRaw`SAVEPOINT page`;
  try {
    await rebuild.write(sql, page);
  } catch (error) {
    await sql.$executeRaw`ROLLBACK TO SAVEPOINT page`;
    return (error as Error).message.trim().split('\n').at(-1);
  }
  await sql.$executeRaw`RELEASE SAVEPOINT page`;
  return undefined;
}
