/**
 * Do the tables agree with the log, and is the log what the ledger wrote? Works in one snapshot of the database, while
 * traffic goes on: follows every shard's log from its first event (see `rebuild-log`), projects it into temporary
 * tables, compares these with the live ones, and compares the log with its signed checkpoints. The tables of a shard
 * whose log has a fault are not compared, because its rebuilt tables can't be trusted.
 *
 * Every table that answers a caller is compared with the log, or follows from one that is: docs/AUDIT.md has the list.
 */
import { readCheckpoint, shardOf } from '@stablecoin/event-proofs/checkpoint';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { EventRow } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { Sql } from '@stablecoin/persistence/sql';
import { OperatorsAct } from '../acts/operators-acts';
import { PolicyActs, PolicyActsCheck } from '../acts/policy-acts';
import { AuditFailure } from '../report/report';
import { withSnapshot } from '../database/ledger';
import { findSumFaults, SumFault } from '../rebuild/balance-sums';
import { compareDerived } from '../rebuild/compare-derived';
import { compareTables, isEqual, TableComparison } from '../rebuild/compare-tables';
import { RebuildOptions, rebuildLog, ShardOutcome } from '../rebuild/rebuild-log';
import { analyzeTables, createTemporaryTables, RawSql, TEMPORARY_SCHEMA } from '../rebuild/scratch-tables';
import { readShards, ShardHead, totalOf } from '../rebuild/shard-heads';
import { CommandFault, CommandResultsCheck, createLoggedCommands } from './command-results';
import { findBookedTwice } from './booked-twice';
import { CheckpointCheck, CheckpointOptions } from './checkpoint-check';
import { CheckpointOutcome } from './checkpoint-outcome';
import { createDepositRecorders, DepositRecorders } from './deposit-recorders';
import { checkLiabilities, LiabilitiesOptions, LiabilitiesOutcome } from './liabilities-check';
import { EvidenceTally } from '../log/asker-rules';
import { LogFault } from '../log/fault';
import { readNamelessUntil } from '../log/first-askers';
import { PriceRules, PriceRulesOptions } from '../log/price-rules';
import { findMissingShards, KnownShard } from './missing-shards';
import { findPublishedBeyond, PublishedBeyond } from './published-beyond';
import { checkIndexes, IndexOutcome } from './index-check';
import { findSchemaFaults, TABLES } from './schema-check';
import { SchemaFault } from './schema-fault';
import { findSharedAddresses, SharedAddress } from './shared-addresses';
import { findUnsigned } from './unsigned-tail';
import { askWitnesses, judgeWitnesses, WitnessOutcome, WitnessQuestion } from './witnesses';

export interface Verification {
  ok: boolean;
  events: number;
  shards: ShardOutcome[];
  /** Shards that are gone as a whole, or have fewer events than the ledger has signed that it owes for. */
  missing: LogFault[];
  /** Shards whose relay published positions that the log doesn't have: its tail is gone. */
  published_beyond: PublishedBeyond[];
  sums: SumFault[];
  /** What has the ledger see other tables or rows than those that were compared. */
  schema: SchemaFault[];
  /** Indexes that do not find the rows of their tables. */
  indexes: IndexOutcome;
  /** The first few deposit addresses that the log gives to two wallets. */
  shared_addresses: SharedAddress[];
  /** The first few places where the log books once more what a service has stated once. */
  booked_twice: LogFault[];
  /** The first few deposits that were ended by another service than the one that recorded them. */
  ended_by_others: LogFault[];
  tables: TableComparison[];
  /** What answers lists and searches beside the projections. */
  derived: TableComparison[];
  /** The first few commands that could take effect twice, or whose stored result is not what the log says. */
  commands: CommandFault[];
  /** Results that no event belongs to: only what never changes could be compared. Null where a part of the log is missing. */
  unlogged_results: number | null;
  /** Of each shard: whether the log agrees with its checkpoints. */
  checkpoints: CheckpointOutcome[];
  /** Of each shard that agrees with its checkpoints: from where on its log has not been signed, for too long. */
  unsigned: LogFault[];
  /** What services stated of the world outside, and of how much of it the signature could be checked. */
  evidence: EvidenceTally;
  /** Of each shard: the first swap whose price the ledger would have refused. Null where the auditor was not given its bounds. */
  prices: { judged: number; faults: LogFault[] } | null;
  /** What operators have stated, held against what was taken. Null where the auditor was not given their acts. */
  acts: PolicyActs | null;
  /** Of each witness that was asked and each shard: what it has seen, and what it says that the log doesn't. */
  witnesses: WitnessOutcome[];
  /** Null where a part of the log is missing, or was not asked for. */
  liabilities: LiabilitiesOutcome | null;
}

export interface VerifyOptions
  extends
    Omit<RebuildOptions, 'onProgress' | 'onPage' | 'onApplied' | 'onEnd' | 'evidence' | 'askers'>,
    Omit<CheckpointOptions, 'witnessed'>,
    Partial<WitnessQuestion>,
    LiabilitiesOptions {
  shard?: number;
  /** How many shards the ledger has, where that is known from elsewhere. */
  shardCount?: number;
  /** What bounds the prices of swaps, and since when; without it they are not judged. */
  prices?: PriceRulesOptions;
  /** The record of operators' acts. */
  acts?: readonly OperatorsAct[];
  /** What time it is, for the age of what is not signed. */
  now?: Date;
  /** @param total number of events to read */
  onStart?: (total: number) => (events: number) => void;
  onPhase?: (phase: VerifyPhase) => void;
}

/** What verify works at, in this order. Only of the log it is known beforehand how much there is. */
export type VerifyPhase =
  'preparing' | 'witnesses' | 'log' | 'checkpoints' | 'schema' | 'indexes' | 'tables' | 'liabilities';

export async function verify(database: LedgerDatabase, options: VerifyOptions = {}): Promise<Verification> {
  if (options.shard !== undefined) refuseWhatIsOfOthers(options.shard, options);
  const { onPhase = () => undefined } = options;
  onPhase('preparing');
  await createTemporaryTables(database);
  await createLoggedCommands(database);
  await createDepositRecorders(database);
  if (options.witnesses?.length) onPhase('witnesses');
  const witnessed = options.witnesses?.length
    ? await askWitnesses(database, await shardsIn(database), { ...options, witnesses: options.witnesses })
    : [];
  return withSnapshot(database, 'read-only', async (snapshot) => {
    const every = await readShards(snapshot);
    const heads = options.shard === undefined ? every : oneOf(every, options.shard);
    const onProgress = options.onStart?.(totalOf(heads));
    onPhase('log');
    const evidence: EvidenceTally = { checked: 0, unchecked: 0 };
    const results = new CommandResultsCheck(snapshot);
    const recorders = new DepositRecorders(snapshot);
    const checkpoints = new CheckpointCheck(snapshot, { ...options, witnessed });
    const policyActs = new PolicyActsCheck();
    const prices =
      options.prices && heads.map(({ shard }) => new PriceRules(shard, options.prices as PriceRulesOptions));
    const onPage = async (page: readonly RecordedEvent[], rows: readonly EventRow[]) => {
      await results.follow(page);
      await recorders.follow(page);
      policyActs.follow(page);
      const shard = rows[0]?.shard;
      if (shard === undefined) return;
      prices?.find((one) => one.shard === shard)?.follow(page);
      await checkpoints.follow(shard, rows);
    };
    const askers = await readNamelessUntil(
      snapshot,
      every.map(({ shard }) => shard),
    );
    const shards = await rebuildLog(snapshot, heads, {
      ...options,
      evidence,
      askers,
      onProgress,
      onPage,
      onApplied: results.apply,
      onEnd: (isSound) => results.finishShard(isSound),
    });
    onPhase('checkpoints');
    await analyzeTables(snapshot, TEMPORARY_SCHEMA);
    const asked = options.shard === undefined ? undefined : [options.shard];
    const sound = shards.filter(({ fault }) => fault === null).map(({ shard }) => shard);
    const isWhole = sound.length === every.length;
    if (isWhole) await results.finish();
    const signed = await checkpoints.finish(shards, asked);
    const agreeing = signed.filter(({ shard, fault }) => fault === null && sound.includes(shard));
    onPhase('schema');
    const logged = {
      missing: asked ? [] : await findMissingShards(snapshot, await loggedIn(snapshot, every), options.shardCount),
      published_beyond: await findPublishedBeyond(snapshot, asked),
      sums: await findSumFaults(snapshot, asked),
      schema: await findSchemaFaults(snapshot),
    };
    onPhase('indexes');
    const indexes = await checkIndexes(snapshot, TABLES);
    onPhase('tables');
    const compared = {
      shared_addresses: await findSharedAddresses(snapshot),
      booked_twice: [...(await findBookedTwice(snapshot)), ...(await recorders.findCreditedTwice())],
      ended_by_others: recorders.faults,
      ...(await compareSound(snapshot, sound, isWhole)),
      commands: results.faults,
      checkpoints: signed,
      unsigned: await findUnsigned(snapshot, agreeing, options),
      prices: prices ? pricesOutcome(prices) : null,
      acts: options.acts && isWhole ? policyActs.compare(options.acts, options.now ?? new Date()) : null,
      witnesses: await judgeWitnesses(snapshot, witnessed, agreeing, options),
    };
    onPhase('liabilities');
    const checked = {
      ...{ ...logged, indexes, ...compared },
      liabilities: isWhole ? await checkLiabilities(snapshot, options) : null,
    };
    const events = shards.reduce((sum, shard) => sum + shard.events, 0);
    const unlogged_results = isWhole ? results.unlogged : null;
    return { ok: isOk(shards, checked), events, shards, ...checked, evidence, unlogged_results };
  });
}

/** What was kept to be compared is compared, or refused: it is never passed over. @throws AuditFailure */
function refuseWhatIsOfOthers(shard: number, { kept = [], keptStatements = [], acts }: VerifyOptions): void {
  const other = kept.map((note) => readCheckpoint(note)?.origin ?? '').find((origin) => shardOf(origin) !== shard);
  if (other !== undefined) {
    throw new AuditFailure(
      `The checkpoint of ${other} can't be compared with shard ${shard} alone: give --shard ${shardOf(other)}, or no --shard.`,
    );
  }
  if (keptStatements.length > 0) {
    throw new AuditFailure("A statement of liabilities is of all shards: it can't be compared with --shard.");
  }
  if (acts) throw new AuditFailure("Operators' acts are of all shards: they can't be compared with --shard.");
}

const loggedIn = (sql: Sql, heads: readonly ShardHead[]): PromiseLike<KnownShard[]> =>
  sql.$queryRaw<KnownShard[]>`
    SELECT shard, COALESCE(position, 0)::int8::float8 AS logged
    FROM unnest(${heads.map(({ shard }) => shard)}::int[]) AS every (shard) LEFT JOIN LATERAL (
      SELECT max(event.position) AS position FROM ledger_events AS event WHERE event.shard = every.shard
    ) AS log ON true`;

const pricesOutcome = (prices: readonly PriceRules[]) => ({
  judged: prices.reduce((sum, { judged }) => sum + judged, 0),
  faults: prices.flatMap(({ fault }) => fault ?? []),
});

const shardsIn = async (database: LedgerDatabase) => (await readShards(database)).map(({ shard }) => shard);

function oneOf(heads: readonly ShardHead[], shard: number): ShardHead[] {
  const found = heads.filter((head) => head.shard === shard);
  if (found.length > 0) return found;
  throw new AuditFailure(
    `There is no shard ${shard}: there are ${heads.map((head) => head.shard).join(', ') || 'none'}.`,
  );
}

/** With every shard sound, each row must follow from the log; else only rows of sound shards are compared. */
async function compareSound(
  sql: RawSql,
  sound: readonly number[],
  isWhole: boolean,
): Promise<Pick<Verification, 'tables' | 'derived'>> {
  if (sound.length === 0 && !isWhole) return { tables: [], derived: [] };
  const shards = isWhole ? undefined : sound;
  return {
    tables: await compareTables(sql, TEMPORARY_SCHEMA, shards),
    derived: await compareDerived(sql, TEMPORARY_SCHEMA, shards),
  };
}

function isOk(
  shards: readonly ShardOutcome[],
  checked: Omit<Verification, 'ok' | 'events' | 'shards' | 'evidence' | 'unlogged_results'>,
): boolean {
  return (
    shards.every(({ fault }) => fault === null) &&
    checked.missing.length === 0 &&
    checked.published_beyond.length === 0 &&
    checked.sums.length === 0 &&
    checked.schema.length === 0 &&
    checked.indexes.faults.length === 0 &&
    checked.shared_addresses.length === 0 &&
    checked.booked_twice.length === 0 &&
    checked.ended_by_others.length === 0 &&
    checked.commands.length === 0 &&
    checked.checkpoints.every(({ fault, nodes_differing }) => fault === null && nodes_differing === 0) &&
    checked.unsigned.length === 0 &&
    (checked.prices?.faults.length ?? 0) === 0 &&
    (checked.acts?.faults.length ?? 0) === 0 &&
    checked.witnesses.every(({ fault }) => fault === null) &&
    (checked.liabilities?.faults.length ?? 0) === 0 &&
    checked.tables.every(isEqual) &&
    checked.derived.every(isEqual)
  );
}
