/**
 * One pass over the log of each shard, page by page, in constant memory: is the log what the ledger would have written,
 * and what do its projections look like? A shard is followed to its first fault and no further.
 *
 * | phase   | reads                                        | writes                        | bounded by                   |
 * |---------|----------------------------------------------|-------------------------------|------------------------------|
 * | read    | `ledger_events` after the last position      | nothing                       | PAGE_SIZE events             |
 * | inspect | the page's rows alone: chain, shape, groups  | nothing                       | INSPECTED_AT_ONCE at a time  |
 * | fold    | what the page names, from the scratch tables | memory: each event is checked | RebuildLimits, then memory   |
 * |         |                                              | by the rules, then applied    | is given up                  |
 * | write   | nothing                                      | the scratch tables, in a      | one page; a savepoint        |
 * |         |                                              | savepoint                     | undoes a page that fails     |
 *
 * The phases of neighbouring pages overlap, so that the database always has work: while a page is inspected, the page
 * before it is being written and the page after it is being read. Memory holds three pages at most.
 */
import { CallerKeys } from '@stablecoin/command-proofs/caller-keys';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { EventRow, readEventRows } from '@stablecoin/ledger-store/event-rows';
import { settled } from '@stablecoin/background-work/settled';
import { databasesWords } from '@stablecoin/persistence/database-error';
import { Sql } from '@stablecoin/persistence/sql';
import { earlier, LogFault } from '../log/fault';
import { AskerRules, EvidenceTally, NamelessUntil } from '../log/asker-rules';
import { ruleBroken } from '../log/ledger-rules';
import { Head, LogInspector } from '../log/log-inspector';
import { UnjudgedOpenings } from '../log/unjudged-openings';
import { UnpassedReturns } from '../log/unpassed-returns';
import { ShardHead } from './shard-heads';
import { RebuildLimits, ShardRebuild } from './shard-rebuild';

export interface ShardOutcome {
  shard: number;
  /** Those before the fault, or all. */
  events: number;
  head_hash: string;
  fault: LogFault | null;
}

export interface RebuildOptions {
  /** The services' public keys, and what is counted of what they stated: see asker-rules.ts. */
  evidenceKeys?: CallerKeys | undefined;
  evidence?: EvidenceTally;
  /** When commands began to name their askers, by all shards. */
  askers?: NamelessUntil;
  pageSize?: number;
  limits?: RebuildLimits;
  onProgress?: (events: number) => void;
  /**
   * Called after each event was folded; a page may be folded twice.
   *
   * @param isLast of its group, as far as it has been read
   */
  onApplied?: (state: LedgerState, recorded: RecordedEvent, isLast: boolean) => void;
  /** Called after the last page of a shard. */
  onEnd?: (isSound: boolean) => Promise<void>;
  /** Called with every page in which no fault was found, after it was written. */
  onPage?: (page: readonly RecordedEvent[], rows: readonly EventRow[]) => Promise<void>;
  /** Called with the page that a fault was found in, as far as its inspection has found none: what it names is chained. */
  onFaultyPage?: (page: readonly RecordedEvent[]) => Promise<void>;
}

interface FollowerOptions extends RebuildOptions {
  /** Up to which position the counts of payouts are written; all of them when left out. */
  countedTo?: number;
  /** The last position that is read; the log's end when left out. */
  until?: number | undefined;
}

export const PAGE_SIZE = 4_000;
const INSPECTED_AT_ONCE = 250;

export async function rebuildLog(
  sql: Sql,
  shards: readonly ShardHead[],
  options: RebuildOptions = {},
): Promise<ShardOutcome[]> {
  const outcomes: ShardOutcome[] = [];
  for (const shard of shards) outcomes.push(await rebuildShard(sql, shard, options));
  return outcomes;
}

async function rebuildShard(sql: Sql, shardHead: ShardHead, options: RebuildOptions): Promise<ShardOutcome> {
  const { shard, head, counted, until } = shardHead;
  const follower = new ShardFollower(shard, { ...options, countedTo: counted, until });
  await follower.followToTheEnd(sql);
  const outcome = follower.finish(head);
  await options.onEnd?.(outcome.fault === null);
  return outcome;
}

/** A page after its inspection. `events` are those before its first fault. */
interface Page {
  rows: readonly EventRow[];
  events: readonly RecordedEvent[];
  fault: LogFault | undefined;
  /** Of the log, up to the end of the page. */
  head: Head;
}

/** Follows the log of one shard, a page at a time, into the tables that the connection's `search_path` resolves to. */
export class ShardFollower {
  private readonly inspector: LogInspector;
  private readonly rebuild: ShardRebuild;
  private readonly unjudged = new UnjudgedOpenings();
  private readonly unpassed = new UnpassedReturns();
  private found: LogFault | undefined;
  private head: Head;
  private folded = 0;
  private after = 0;
  countedTo: number;

  constructor(
    readonly shard: number,
    private readonly options: FollowerOptions,
  ) {
    this.countedTo = options.countedTo ?? Infinity;
    const tally = options.evidence ?? { checked: 0, unchecked: 0 };
    this.inspector = new LogInspector(shard, new AskerRules(options.evidenceKeys, tally, options.askers));
    this.head = this.inspector.head;
    this.rebuild = new ShardRebuild(shard, options.limits);
  }

  get fault(): LogFault | undefined {
    return this.found;
  }

  /** The last position read. */
  get position(): number {
    return this.after;
  }

  /** Takes one page through all phases. @returns its number of events: 0 at the end of the log, and after a fault */
  async step(sql: Sql): Promise<number> {
    if (this.found) return 0;
    const rows = await this.read(sql);
    const { written } = await this.fold(sql, await this.inspect(rows));
    await written;
    return rows.length;
  }

  /** Takes all pages through all phases, with those of neighbouring pages overlapping. */
  async followToTheEnd(sql: Sql): Promise<void> {
    let reading = settled(this.read(sql));
    let writing: Promise<unknown> = Promise.resolve();
    for (;;) {
      const read = await reading;
      const rows = 'value' in read ? read.value : [];
      if (rows.length > 0) reading = settled(this.read(sql));
      const page = await this.inspect(rows);
      await writing;
      // Behind a failed write the read fails too, until the savepoint is rolled back: then its error means nothing.
      if (this.found) break;
      if ('error' in read) throw read.error;
      if (rows.length === 0) return;
      writing = (await this.fold(sql, page)).written;
    }
    await reading;
  }

  private async read(sql: Sql): Promise<EventRow[]> {
    const { countedTo, after } = this;
    const pageSize = this.options.pageSize ?? PAGE_SIZE;
    // No page goes beyond that position from before it: the rows are compared as they were there.
    const counted = after < countedTo ? Math.min(pageSize, countedTo - after) : pageSize;
    const limit = Math.min(counted, (this.options.until ?? Infinity) - after);
    if (limit <= 0) return [];
    const rows = await readEventRows(sql, this.shard, after, limit);
    this.after = rows.at(-1)?.position ?? this.after;
    return rows;
  }

  /** Pauses between portions, so that answers of the database are handled meanwhile. */
  private async inspect(rows: readonly EventRow[]): Promise<Page> {
    const events: RecordedEvent[] = [];
    for (const [index, row] of rows.entries()) {
      if (index % INSPECTED_AT_ONCE === 0) await new Promise(setImmediate);
      const recorded = this.inspector.follow(row);
      if (recorded) events.push(recorded);
    }
    return { rows, events, fault: this.inspector.fault, head: this.inspector.head };
  }

  /** Folds a page in memory and begins to write it. @returns the write, which goes on while the next page is inspected */
  private async fold(sql: Sql, page: Page): Promise<{ written: Promise<void> }> {
    const fault = await this.applyAll(sql, page.events, false);
    const written = this.write(sql, page, fault);
    // The caller awaits it later and sees its error then; until then it is no unhandled rejection.
    written.catch(() => undefined);
    return { written };
  }

  /**
   * The first fold takes it for granted that what a page opens is new; the tables refuse what isn't. So a page with a
   * fault is folded again from the tables, with everything looked up, which finds the exact position of its first fault.
   */
  private async write(sql: Sql, page: Page, folding: LogFault | undefined): Promise<void> {
    const fault = folding ?? (await this.writeAll(sql, page.events));
    const exact = fault && ((await this.foldAgain(sql, page.events)) ?? fault);
    // Of two at one position the rules name the event, the inspection its group.
    this.found = earlier(exact, page.fault);
    this.head = page.head;
    if (this.found) await this.options.onFaultyPage?.(page.events);
    else await this.options.onPage?.(page.events, page.rows);
    this.folded += page.events.length;
    this.options.onProgress?.(page.events.length);
  }

  private async foldAgain(sql: Sql, events: readonly RecordedEvent[]): Promise<LogFault | undefined> {
    this.rebuild.forget();
    return (await this.applyAll(sql, events, true)) ?? (await this.writeAll(sql, events));
  }

  private async applyAll(sql: Sql, events: readonly RecordedEvent[], openings: boolean): Promise<LogFault | undefined> {
    const { rebuild } = this;
    if (events.length === 0) return undefined;
    await rebuild.prepare(sql, events, openings);
    for (const [index, recorded] of events.entries()) {
      const unpassed = this.unpassed.follow(rebuild.state, recorded);
      const before = this.unjudged.follow(rebuild.state, recorded) ?? unpassed;
      if (before) return before;
      const problem = ruleBroken(rebuild.state, recorded) ?? applied(rebuild, recorded);
      if (problem) return { shard: recorded.shard, position: recorded.position, problem };
      this.options.onApplied?.(rebuild.state, recorded, events[index + 1]?.group !== recorded.group);
    }
    return undefined;
  }

  /** What the tables refuse is a fault of the log; the savepoint keeps the snapshot usable for the other shards. */
  private async writeAll(sql: Sql, events: readonly RecordedEvent[]): Promise<LogFault | undefined> {
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last) return undefined;
    await sql.$executeRaw`SAVEPOINT page`;
    try {
      await this.rebuild.write(sql, events, last.position <= this.countedTo);
    } catch (error) {
      await sql.$executeRaw`ROLLBACK TO SAVEPOINT page`;
      const refused = databasesWords(error);
      const problem = `positions ${first.position} to ${last.position} cannot be projected: ${refused}`;
      return { shard: first.shard, position: first.position, problem };
    }
    await sql.$executeRaw`RELEASE SAVEPOINT page`;
    return undefined;
  }

  /** Of the log's last events, which the live table has not yet: for tables that take the live ones' place. */
  writeUncounted(sql: Sql): Promise<void> {
    return this.rebuild.writeUncounted(sql);
  }

  /** Gives up memory until there are more events. */
  forget(): void {
    this.rebuild.forget();
  }

  /** After the last page: does the log end where the shard's head says? More pages may follow afterwards. */
  finish(head: Head | undefined): ShardOutcome {
    const { shard, inspector } = this;
    if (!this.found) inspector.finish(head);
    this.found = [this.unjudged.last, this.unpassed.last, inspector.fault].reduce(earlier, this.found);
    const head_hash = Buffer.from(this.head.hash).toString('hex');
    const events = this.found ? this.found.position - 1 : this.folded;
    return { shard, events, head_hash, fault: this.found ?? null };
  }
}

function applied(rebuild: ShardRebuild, recorded: RecordedEvent): string | undefined {
  try {
    rebuild.state.apply(recorded);
    return undefined;
  } catch (error) {
    return `cannot be folded: ${(error as Error).message}`;
  }
}
