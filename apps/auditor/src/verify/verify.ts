/**
 * Do the tables agree with the log, and is the log what the ledger wrote? Works in one snapshot of the database, while
 * traffic goes on: follows every shard's log from its first event (see `rebuild-log`), projects it into temporary
 * tables, compares these with the live ones, and compares the log with its signed checkpoints. The tables of a shard
 * whose log has a fault are not compared, because its rebuilt tables can't be trusted.
 */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { EventRow } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { AuditFailure } from '../report/report';
import { withSnapshot } from '../database/ledger';
import { findSumFaults, SumFault } from '../rebuild/balance-sums';
import { compareTables, isEqual, TableComparison } from '../rebuild/compare-tables';
import { RebuildOptions, rebuildLog, ShardOutcome } from '../rebuild/rebuild-log';
import { analyzeTables, createTemporaryTables, RawSql, TEMPORARY_SCHEMA } from '../rebuild/scratch-tables';
import { readShards, ShardHead, totalOf } from '../rebuild/shard-heads';
import { CommandFault, CommandResultsCheck } from './command-results';
import { CheckpointCheck, CheckpointOptions, CheckpointOutcome } from './checkpoint-check';
import { findPublishedBeyond, PublishedBeyond } from './published-beyond';

export interface Verification {
  ok: boolean;
  events: number;
  shards: ShardOutcome[];
  /** Shards whose relay published positions that the log doesn't have: its tail is gone. */
  published_beyond: PublishedBeyond[];
  sums: SumFault[];
  tables: TableComparison[];
  /** The first few commands in the log that could take effect twice. */
  commands: CommandFault[];
  /** Of each shard: whether the log agrees with its checkpoints. */
  checkpoints: CheckpointOutcome[];
}

export interface VerifyOptions extends Omit<RebuildOptions, 'onProgress' | 'onPage'>, CheckpointOptions {
  shard?: number;
  /** @param total number of events to read */
  onStart?: (total: number) => (events: number) => void;
}

export async function verify(database: LedgerDatabase, options: VerifyOptions = {}): Promise<Verification> {
  await createTemporaryTables(database);
  return withSnapshot(database, 'read-only', async (snapshot) => {
    const every = await readShards(snapshot);
    const heads = options.shard === undefined ? every : oneOf(every, options.shard);
    const onProgress = options.onStart?.(totalOf(heads));
    const results = new CommandResultsCheck(snapshot);
    const checkpoints = new CheckpointCheck(snapshot, options);
    const onPage = async (page: readonly RecordedEvent[], rows: readonly EventRow[]) => {
      await results.follow(page);
      if (rows[0]) await checkpoints.follow(rows[0].shard, rows);
    };
    const shards = await rebuildLog(snapshot, heads, { ...options, onProgress, onPage });
    await analyzeTables(snapshot, TEMPORARY_SCHEMA);
    const asked = options.shard === undefined ? undefined : [options.shard];
    const checked = {
      published_beyond: await findPublishedBeyond(snapshot, asked),
      sums: await findSumFaults(snapshot, asked),
      tables: await compareSound(snapshot, every, shards),
      commands: results.faults,
      checkpoints: await checkpoints.finish(shards, asked),
    };
    const events = shards.reduce((sum, shard) => sum + shard.events, 0);
    return { ok: isOk(shards, checked), events, shards, ...checked };
  });
}

function oneOf(heads: readonly ShardHead[], shard: number): ShardHead[] {
  const found = heads.filter((head) => head.shard === shard);
  if (found.length > 0) return found;
  throw new AuditFailure(
    `There is no shard ${shard}: there are ${heads.map((head) => head.shard).join(', ') || 'none'}.`,
  );
}

/** With every shard sound, each row must follow from the log; else only rows of sound shards are compared. */
function compareSound(
  sql: RawSql,
  every: readonly ShardHead[],
  outcomes: readonly ShardOutcome[],
): Promise<TableComparison[]> {
  const sound = outcomes.filter(({ fault }) => fault === null).map(({ shard }) => shard);
  if (sound.length === every.length) return compareTables(sql, TEMPORARY_SCHEMA);
  return sound.length === 0 ? Promise.resolve([]) : compareTables(sql, TEMPORARY_SCHEMA, sound);
}

function isOk(
  shards: readonly ShardOutcome[],
  checked: Pick<Verification, 'published_beyond' | 'sums' | 'tables' | 'commands' | 'checkpoints'>,
): boolean {
  return (
    shards.every(({ fault }) => fault === null) &&
    checked.published_beyond.length === 0 &&
    checked.sums.length === 0 &&
    checked.commands.length === 0 &&
    checked.checkpoints.every(({ fault }) => fault === null) &&
    checked.tables.every(isEqual)
  );
}
