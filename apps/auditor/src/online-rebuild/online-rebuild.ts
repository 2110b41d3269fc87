/**
 * Makes the projections anew from the log while the ledger works, and puts them in place of the live ones if asked to.
 *
 * | phase    | reads                                     | writes                            | bounded by              |
 * |----------|-------------------------------------------|-----------------------------------|-------------------------|
 * | create   | the live tables' definitions              | empty tables in REBUILT_SCHEMA    | one rebuild at a time   |
 * |          |                                           |                                   | (an advisory lock)      |
 * | catch up | the log, checked as `verify` checks it    | the rebuilt tables, a commit per  | pages, until LAG_MAX    |
 * |          |                                           | page                              | events are missing      |
 * | compare  | one snapshot: the rest of the log, and    | the rebuilt tables                | none: writers go on     |
 * |          | the digests of both sides                 |                                   | meanwhile               |
 * | switch   | the last events, under the locks of all   | reserves the shards; swaps the    | 1 s for the hand-over,  |
 * | (asked)  | heads and of the live tables              | tables, raises all epochs         | 0.5 s for the locks,    |
 * |          |                                           |                                   | ATTEMPTS, SWITCH_LIMITS |
 * | drop     | nothing                                   | drops REBUILT_SCHEMA              |                         |
 *
 * With the projections it makes what follows from them (totals and the index of searches), and mends the stored nodes of the
 * shards' Merkle trees in place.
 *
 * Before the switch the shards' holders hand over; after it they take their shards again and load what the new tables hold,
 * because no memory of theirs outlives a hand-over. A log with a fault never replaces the live tables. Memory is bounded as
 * in `rebuild-log`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { PROJECTION_TABLES, ProjectionTable } from '@stablecoin/ledger-store/projections/tables';
import { lockTreeNodes } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { Snapshot, withSnapshot } from '../database/ledger';
import { readPlacedShards } from '../database/placements';
import { AuditFailure } from '../report/report';
import { LogFault } from '@stablecoin/ledger-log/log/fault';
import { compareDerived } from '../rebuild/compare-derived';
import { compareTables, isEqual, TableComparison } from '../rebuild/compare-tables';
import { digestTables, TableDigest } from '../rebuild/digest-tables';
import { RebuildOptions, ShardFollower } from '@stablecoin/ledger-log/rebuild/rebuild-log';
import { analyzeTables } from '../rebuild/scratch-tables';
import { readShards, ShardHead, totalOf } from '@stablecoin/ledger-log/rebuild/shard-heads';
import {
  createRebuiltTables,
  dropRebuiltTables,
  limitWaits,
  lockLiveTables,
  REBUILT_SCHEMA,
  refuseUnlessAlike,
  swapTables,
} from './rebuilt-tables';
import { followLog } from '@stablecoin/ledger-log/rebuild/follow-log';
import { RebuiltTree } from '@stablecoin/ledger-log/rebuild/rebuilt-tree';
import { endReservation, lockShards, reserveShards } from './shard-reservation';

export interface OnlineRebuild {
  /** The log has no fault, and the live tables agree with it: from the start, or since the switch. */
  ok: boolean;
  /** How many were projected. */
  events: number;
  faults: LogFault[];
  /** Both sides at the same position. Null where the live tables have rows of shards on other databases as well. */
  digests: Record<ProjectionTable, { rebuilt: TableDigest; live: TableDigest }> | null;
  /** Which rows, when a digest differs. */
  differences: TableComparison[];
  /** How many stored nodes of the Merkle trees are not as the log says. */
  nodes_differing: number;
  switched: boolean;
  /** How long no writer could append, in milliseconds, and the schema with the replaced tables. */
  switch: { paused_ms: number; attempts: number; replaced_schema: string } | null;
}

export interface OnlineRebuildOptions extends Pick<RebuildOptions, 'pageSize' | 'limits'> {
  switch?: boolean;
  onStart?: (total: number) => (events: number) => void;
  /** How long the holders have to hand over, how often a switch is tried, and the pause between attempts. */
  handOverMs?: number;
  attempts?: number;
  pauseMs?: number;
}

/** Few enough to be projected in a moment while the writers wait. */
const LAG_MAX = 2_000;
const PAGE_LIMITS = { maxWait: 10_000, timeout: 10 * 60_000 } as const;
/** Commands wait for this transaction. */
const SWITCH_LIMITS = { maxWait: 2_000, timeout: 10_000 } as const;
const ATTEMPTS = 10;
const PAUSE_MS = 3_000;
/** The key of an advisory lock: two rebuilds would write into the same schema. */
const ONE_AT_A_TIME = 7_206_412;

export async function onlineRebuild(
  database: LedgerDatabase,
  now: Date,
  options: OnlineRebuildOptions = {},
): Promise<OnlineRebuild> {
  await refuseUnlessAllowed(database);
  await database.$transaction((sql) => createRebuiltTables(sql), PAGE_LIMITS);
  await refuseUnlessAlike(database);
  const rebuild = new Rebuild(database, options);
  try {
    await rebuild.catchUp();
    const compared = await rebuild.compare();
    const equal = compared.differences.every(isEqual) && compared.nodes_differing === 0;
    const sound = compared.faults.length === 0;
    const done =
      options.switch && sound ? await rebuild.switchOver(`replaced_${now.toISOString().replace(/\D/g, '')}`) : null;
    const ok = sound && (equal || done !== null);
    return { ok, events: rebuild.events, ...compared, switched: done !== null, switch: done };
  } finally {
    await database.$transaction((sql) => dropRebuiltTables(sql), PAGE_LIMITS);
    await database.$executeRaw`SELECT pg_advisory_unlock(${ONE_AT_A_TIME})`;
  }
}

class Rebuild {
  private readonly followers = new Map<number, ShardFollower>();
  private readonly trees = new Map<number, RebuiltTree>();
  private readonly onProgress: { add?: (events: number) => void } = {};

  constructor(
    private readonly database: LedgerDatabase,
    private readonly options: OnlineRebuildOptions,
  ) {}

  get events(): number {
    return [...this.followers.values()].reduce((sum, { position }) => sum + position, 0);
  }

  /**
   * Page by page, each in a transaction of its own, until at most LAG_MAX events are missing up to where the live tables have
   * what payouts count for: from there on the rows can only be compared within one snapshot.
   */
  async catchUp(): Promise<void> {
    this.onProgress.add ??= this.options.onStart?.(totalOf(await readShards(this.database)));
    for (;;) {
      const heads = await readShards(this.database);
      const missing = heads.map(({ shard, counted }) => counted - this.follower(shard).position);
      const faulty = [...this.followers.values()].some(({ fault }) => fault);
      if (faulty || missing.reduce((sum, count) => sum + Math.max(0, count), 0) <= LAG_MAX) return;
      for (const { shard, counted } of heads) await this.followTo(shard, counted);
    }
  }

  private async followTo(shard: number, counted: number): Promise<void> {
    const follower = this.follower(shard);
    follower.countedTo = counted;
    while (follower.position < counted) {
      if ((await this.database.$transaction((sql) => this.step(sql, follower), PAGE_LIMITS)) === 0) break;
    }
    follower.forget();
  }

  private async step(sql: Snapshot, follower: ShardFollower): Promise<number> {
    await sql.$executeRawUnsafe(`SET LOCAL search_path TO ${REBUILT_SCHEMA}, public`);
    const events = await follower.step(sql);
    if (events > 0) await followLog(sql, follower.shard, follower.position);
    return events;
  }

  /** The rest of the log, as this transaction sees it. */
  private async finish(sql: Snapshot): Promise<LogFault[]> {
    const heads = await readShards(sql);
    for (const { shard, counted } of heads) {
      const follower = this.follower(shard);
      follower.countedTo = counted;
      while ((await this.step(sql, follower)) > 0);
    }
    return heads.flatMap(({ shard, head }) => this.follower(shard).finish(head).fault ?? []);
  }

  compare(): Promise<Pick<OnlineRebuild, 'faults' | 'digests' | 'differences' | 'nodes_differing'>> {
    return withSnapshot(this.database, 'keep', async (snapshot) => {
      const faults = await this.finish(snapshot);
      if (faults.length > 0) return { faults, digests: null, differences: [], nodes_differing: 0 };
      await analyzeTables(snapshot, REBUILT_SCHEMA);
      const { every, copies } = await readPlacedShards('', snapshot);
      if (copies.length > 0) return this.compareShards(snapshot, every);
      const [rebuilt, live] = [await digestTables(snapshot, REBUILT_SCHEMA), await digestTables(snapshot, 'public')];
      const digests = Object.fromEntries(
        PROJECTION_TABLES.map(({ table }) => [table, { rebuilt: rebuilt[table], live: live[table] }]),
      ) as NonNullable<OnlineRebuild['digests']>;
      const equal = PROJECTION_TABLES.every(({ table }) => rebuilt[table].sha256 === live[table].sha256);
      const derived = await compareDerived(snapshot, REBUILT_SCHEMA);
      const nodes_differing = await this.compareNodes(snapshot);
      const differences = equal && derived.every(isEqual) ? [] : await compareTables(snapshot, REBUILT_SCHEMA);
      return {
        faults,
        digests,
        differences: differences.length > 0 ? [...differences, ...derived] : [],
        nodes_differing,
      };
    });
  }

  /** Where the database has rows of shards on others: those of its own alone. `verify` finds rows that are of none. */
  private async compareShards(snapshot: Snapshot, every: readonly ShardHead[]) {
    const shards = every.map(({ shard }) => shard);
    const tables = await compareTables(snapshot, REBUILT_SCHEMA, shards);
    const differences = [...tables, ...(await compareDerived(snapshot, REBUILT_SCHEMA, shards))];
    const nodes_differing = await this.compareNodes(snapshot);
    return { faults: [], digests: null, differences: differences.every(isEqual) ? [] : differences, nodes_differing };
  }

  async switchOver(replaced: string): Promise<NonNullable<OnlineRebuild['switch']>> {
    const { attempts = ATTEMPTS, pauseMs = PAUSE_MS, handOverMs } = this.options;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      await this.catchUp();
      const started = performance.now();
      if ((await reserveShards(this.database, handOverMs)) && (await this.swap(replaced))) {
        const paused_ms = Math.round(performance.now() - started);
        return { paused_ms, attempts: attempt, replaced_schema: replaced };
      }
      if (attempt < attempts) await delay(pauseMs);
    }
    throw new AuditFailure(
      `${attempts} times a shard was not handed over within a second, or a long query held a table: nothing was ` +
        `switched. Look whether every instance of wallet-ledger answers and is of this version, then try again.`,
    );
  }

  /** @returns false when it must be tried again; nothing has changed then */
  private async swap(replaced: string): Promise<boolean> {
    try {
      return await this.database.$transaction(async (sql) => {
        // All that is waited for, before anything is projected: what an attempt that is given up has projected would be missing
        // from the next. In the order in which a checkpoint is stored.
        await limitWaits(sql);
        await lockTreeNodes(sql);
        if (!(await lockShards(sql))) return false;
        await lockLiveTables(sql);
        const [fault] = await this.finish(sql);
        if (fault) throw new AuditFailure(`Shard ${fault.shard}, position ${fault.position}: ${fault.problem}.`);
        for (const follower of this.followers.values()) await follower.writeUncounted(sql);
        await swapTables(sql, replaced);
        for (const [shard, tree] of this.trees) await tree.mend(sql, shard);
        // A writer that still believes it holds a shard remembers the old tables: the new epoch stops it.
        await sql.$executeRaw`
          UPDATE ledger_shards SET epoch = epoch + 1, counting_epoch = epoch + 1, counted_position = head_position,
            reserved_until = NULL`;
        return true;
      }, SWITCH_LIMITS);
    } catch (error) {
      await endReservation(this.database);
      if (isLockTimeout(error)) return false;
      throw error;
    }
  }

  private async compareNodes(sql: Snapshot): Promise<number> {
    let differing = 0;
    for (const [shard, tree] of this.trees) differing += await tree.differing(sql, shard);
    return differing;
  }

  private follower(shard: number): ShardFollower {
    const { pageSize, limits } = this.options;
    const known = this.followers.get(shard);
    if (known) return known;
    const tree = new RebuiltTree();
    const follower = new ShardFollower(shard, {
      pageSize,
      limits,
      onProgress: (events) => this.onProgress.add?.(events),
      onPage: (_page, rows) => {
        tree.append(rows);
        return Promise.resolve();
      },
    });
    this.trees.set(shard, tree);
    this.followers.set(shard, follower);
    return follower;
  }
}

const isLockTimeout = (error: unknown) => /lock timeout|55P03/i.test((error as Error).message);

async function refuseUnlessAllowed(database: LedgerDatabase): Promise<void> {
  const [row] = await database.$queryRaw<{ user: string; may: boolean }[]>`
    SELECT current_user AS user, has_database_privilege(current_database(), 'CREATE')
      AND pg_has_role((SELECT relowner FROM pg_class WHERE oid = 'public.transactions'::regclass), 'USAGE') AS may`;
  if (!row?.may) {
    throw new AuditFailure(
      `A rebuild makes tables, which ${row?.user} may not: set LEDGER_MIGRATION_DATABASE_URL to the owner of the database.`,
    );
  }
  const [lock] = await database.$queryRaw<
    { locked: boolean }[]
  >`SELECT pg_try_advisory_lock(${ONE_AT_A_TIME}) AS locked`;
  if (!lock?.locked) throw new AuditFailure('Another rebuild is under way: wait for it to end.');
}
