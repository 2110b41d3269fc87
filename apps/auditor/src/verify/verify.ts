/**
 * Do the tables agree with the log, and is the log what the ledger wrote? Works in one snapshot of the database, while
 * traffic goes on: follows every shard's log from its first event (see `rebuild-log`), projects it into temporary
 * tables, compares these with the live ones, and compares the log with its signed checkpoints. The tables of a shard
 * whose log has a fault are not compared, because its rebuilt tables can't be trusted. Where shards lie on several databases
 * (docs/adr/0066), each has a snapshot of its own, and what spans shards is compared over all. What a database has of shards on another is
 * a copy of the beginning of their log, and its rows are compared with that (see `rebuilt-copies`).
 *
 * Every table that answers a caller is compared with the log, or follows from one that is: docs/AUDIT.md has the list.
 */
import { readCheckpoint, shardOf } from '@stablecoin/event-proofs/checkpoint';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { EventRow } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { HOME_DATABASE } from '@stablecoin/service-host/repeated-settings';
import { OperatorsAct } from '../acts/operators-acts';
import { PolicyActs, PolicyActsCheck } from '../acts/policy-acts';
import { AuditFailure } from '../report/report';
import { inTurn } from '../database/in-turn';
import { asLedgers, LedgerDatabases } from '../database/ledger';
import {
  leftOutOf,
  Part,
  partWith,
  refuseTorn,
  withPlacedSnapshots,
  withTheirShards,
} from '../database/placed-snapshots';
import { TornPlacement } from '../database/placements';
import { findSumFaults, SumFault } from '../rebuild/balance-sums';
import { compareDerived } from '../rebuild/compare-derived';
import { compareTables, isEqual, TableComparison, together } from '../rebuild/compare-tables';
import { createLeftOutTables, noteLeftOut } from '../rebuild/left-out';
import { createLoggedMerchants, LoggedMerchants } from '../rebuild/logged-merchants';
import { RebuildOptions, rebuildLog, ShardOutcome } from '@stablecoin/ledger-log/rebuild/rebuild-log';
import { analyzeTables, createTemporaryTables, TEMPORARY_SCHEMA } from '../rebuild/scratch-tables';
import { readShards, ShardHead, totalOf } from '@stablecoin/ledger-log/rebuild/shard-heads';
import { CommandFault, CommandResultsCheck, CopiedResults, createLoggedCommands } from './command-results';
import { findBookedTwice } from './booked-twice';
import { CheckpointCheck, CheckpointOptions } from './checkpoint-check';
import { CheckpointOutcome } from './checkpoint-outcome';
import { createDepositRecorders, DepositRecorders, findCreditedTwice } from './deposit-recorders';
import { checkLiabilities, LiabilitiesOptions, LiabilitiesOutcome } from './liabilities-check';
import { EvidenceTally } from '@stablecoin/ledger-log/log/asker-rules';
import { LogFault } from '@stablecoin/ledger-log/log/fault';
import { NamelessUntil } from '@stablecoin/ledger-log/log/asker-rules';
import { readNamelessUntil } from '@stablecoin/ledger-log/log/first-askers';
import { PriceRules, PriceRulesOptions } from '@stablecoin/ledger-log/log/price-rules';
import { copiedIn, judgeCopies, keptOf, missingOf, partOf } from './ledger-parts';
import { BarredShard, findBarredShards } from './barred-shards';
import { findPublishedBeyond, PublishedBeyond } from './published-beyond';
import { checkFollowing, FollowingOptions, FollowingOutcome } from './following-check';
import { findFurtherLogins, FurtherLogins } from './further-logins';
import { checkIndexes, IndexOutcome } from './index-check';
import { findSchemaFaults, TABLES } from './schema-check';
import { SchemaFault } from './schema-fault';
import { findSharedAddresses, SharedAddress } from './shared-addresses';
import { CopyBeingMade, rebuildCopies } from './rebuilt-copies';
import { CopyOutcome } from './shard-copies';
import { findClosedForOthers } from './closed-for-others';
import { findStrayedMerchants, StrayedMerchant } from './strayed-merchants';
import { findUnsigned } from './unsigned-tail';
import { askWitnesses, judgeWitnesses, WitnessOutcome, WitnessQuestion } from './witnesses';

export interface Verification {
  ok: boolean;
  events: number;
  shards: ShardOutcome[];
  /** Shards that are gone as a whole, or have fewer events than the ledger has signed that it owes for. */
  missing: LogFault[];
  /** Shards that are on none of the ledger's databases, or on two. */
  torn: TornPlacement[];
  /** What databases have of shards that are on others: whether it is the beginning of their log. */
  copies: CopyOutcome[];
  /** Copies that a mover is making, or was making when it was ended. */
  copies_being_made: CopyBeingMade[];
  /** Shards whose relay published positions that the log doesn't have: its tail is gone. */
  published_beyond: PublishedBeyond[];
  /** Shards that no instance of the ledger can take, or take over. */
  barred: BarredShard[];
  sums: SumFault[];
  /** What has the ledger see other tables or rows than those that were compared. */
  schema: SchemaFault[];
  /** Logins that may do what the ledger may, held against the deployment's. Null where the auditor was not given their names. */
  logins: FurtherLogins | null;
  /** Indexes that do not find the rows of their tables. */
  indexes: IndexOutcome;
  /** The first few deposit addresses that the log gives to two wallets. */
  shared_addresses: SharedAddress[];
  /** The first few places where the log books once more what a service has stated once. */
  booked_twice: LogFault[];
  /** The first few places where a log names a merchant of another shard. Null where one shard alone was asked for. */
  strayed: StrayedMerchant[] | null;
  /** The first few places where a customer is closed as another merchant's. */
  closed_for_others: LogFault[];
  /** The first few deposits that were ended by another service than the one that recorded them, or under the id of another command. */
  ended_by_others: LogFault[];
  tables: TableComparison[];
  /** What answers lists and searches beside the projections. */
  derived: TableComparison[];
  /** Of each sound shard: how far searches and charts follow its log. */
  following: FollowingOutcome[];
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
    Omit<RebuildOptions, 'onProgress' | 'onPage' | 'onFaultyPage' | 'onApplied' | 'onEnd' | 'evidence' | 'askers'>,
    Omit<CheckpointOptions, 'witnessed'>,
    Partial<WitnessQuestion>,
    LiabilitiesOptions,
    FollowingOptions {
  shard?: number;
  /** How long snapshots are taken anew while shards change sides. */
  settlesWithinMs?: number;
  /** How many shards the ledger has, where that is known from elsewhere. */
  shardCount?: number;
  /** What bounds the prices of swaps, and since when; without it they are not judged. */
  prices?: PriceRulesOptions;
  /** The logins that the deployment has made or uses; without them none is looked at. */
  logins?: readonly string[];
  /** The record of operators' acts. */
  acts?: readonly OperatorsAct[];
  /** What time it is, for the age of what is not signed. */
  now?: Date;
  /** @param total number of events to read */
  onStart?: (total: number) => (events: number) => void;
  onPhase?: (phase: VerifyPhase) => void;
}

/** What verify works at, in this order, at each with every database. Only of the log it is known beforehand how much there is. */
export type VerifyPhase =
  'preparing' | 'witnesses' | 'log' | 'checkpoints' | 'schema' | 'indexes' | 'tables' | 'liabilities';

/** @param ledger its one database, or all of them: each shard is verified where it is, and what spans shards over all */
export async function verify(
  ledger: LedgerDatabase | LedgerDatabases,
  options: VerifyOptions = {},
): Promise<Verification> {
  if (options.shard !== undefined) refuseWhatIsOfOthers(options.shard, options);
  const { onPhase = () => undefined } = options;
  onPhase('preparing');
  const databases = asLedgers(ledger);
  for (const { database } of databases) {
    await createTemporaryTables(database);
    await createLoggedCommands(database);
    await createDepositRecorders(database);
    await createLoggedMerchants(database);
    if (databases.length > 1) await createLeftOutTables(database);
  }
  if (options.witnesses?.length) onPhase('witnesses');
  const witnessed = options.witnesses?.length
    ? await askWitnesses(await shardsIn(databases), { ...options, witnesses: options.witnesses })
    : [];
  return withPlacedSnapshots(databases, options, async (parts, allTorn) => {
    const every = parts.flatMap((part) => part.every);
    const asked = options.shard === undefined ? undefined : [options.shard];
    const torn = allTorn.filter(({ shard }) => asked?.includes(shard) !== false);
    if (asked) refuseTorn(torn.filter(({ shard }) => !partWith(parts, shard)));
    const heads = options.shard === undefined ? every : oneOf(every, options.shard);
    const evidence: EvidenceTally = { checked: 0, unchecked: 0 };
    const common = { ...options, evidence, onProgress: options.onStart?.(totalOf(heads) + copiedIn(parts, asked)) };
    onPhase('log');
    const policyActs = new PolicyActsCheck();
    const askers = await readNamelessUntil(
      withTheirShards(parts).map(({ snapshot: sql, shards }) => ({ sql, shards })),
    );
    const followed = await inTurn(parts, (part) =>
      follow(part, policyActs, {
        ...common,
        askers,
        ...keptOf(part, parts, { ...options, witnessed, torn }),
      }),
    );
    const shards = followed.flatMap((one) => one.shards);
    const sound = followed.flatMap(soundOf);
    const isWhole =
      sound.length === every.length &&
      parts.every(({ copies: of }) => of.every(({ shard }) => partWith(parts, shard) !== undefined));
    const judged = await judgeCopies(parts, { ...common, sound, asked });
    onPhase('checkpoints');
    if (isWhole) await noteLeftOut(parts, ['results_elsewhere']);
    const signed = (
      await inTurn(followed, (one) => finishResults(one, asked, isWhole, copiedResults(one, parts)))
    ).flat();
    const agreeing = signed.filter(({ shard, fault }) => fault === null && sound.includes(shard));
    onPhase('schema');
    const snapshots = parts.map(({ snapshot }) => snapshot);
    const logged = {
      missing: asked ? [] : await missingOf(parts, torn, options.shardCount),
      torn,
      published_beyond: await ofAll(parts, (part) => findPublishedBeyond(part.snapshot, asked, leftOutOf(part).shards)),
      barred: await ofAll(parts, (part) => findBarredShards(part.snapshot, asked)),
      sums: await ofAll(parts, (part) => findSumFaults(part.snapshot, asked, leftOutOf(part).shards)),
      schema: await ofAll(parts, async ({ name, snapshot }) => (await findSchemaFaults(snapshot)).map(namedAt(name))),
      logins: options.logins ? await furtherLogins(parts, options.logins) : null,
    };
    onPhase('indexes');
    const indexes = indexesOf(
      await inTurn(parts, async ({ name, snapshot }) => indexesAt(name, await checkIndexes(snapshot, TABLES))),
    );
    onPhase('tables');
    // Before the rows of copies come to the rebuilt tables: they are those of the shard.
    const onceInAll = {
      shared_addresses: await findSharedAddresses(snapshots),
      booked_twice: [...(await findBookedTwice(snapshots)), ...(await findCreditedTwice(snapshots))],
      strayed: asked ? null : await findStrayedMerchants(snapshots),
      closed_for_others: await ofAll(parts, (part) => findClosedForOthers(part.snapshot)),
    };
    const { copies, being_made, leftOut } = isWhole
      ? await rebuildCopies(parts, judged, { ...options, askers })
      : { copies: judged, being_made: [], leftOut: new Map<string, readonly number[]>() };
    const tables = await inTurn(followed, (one) =>
      compareSound(one, isWhole ? undefined : soundOf(one), leftOut.get(one.name) ?? []),
    );
    const compared = {
      ...onceInAll,
      copies,
      copies_being_made: being_made,
      ended_by_others: followed.flatMap(({ recorders }) => recorders.faults),
      tables: together(tables.map((one) => one.tables)),
      derived: together(tables.map((one) => one.derived)),
      following: await ofAll(followed, (one) => checkFollowing(one.snapshot, soundOf(one), options)),
      commands: followed.flatMap(({ results }) => results.faults),
      checkpoints: signed,
      unsigned: await ofAll(parts, (part) => findUnsigned(part.snapshot, agreeingOn(part, agreeing), options)),
      prices: options.prices ? pricesOutcome(followed.flatMap((one) => one.prices)) : null,
      acts: options.acts && isWhole ? policyActs.compare(options.acts, options.now ?? new Date()) : null,
      witnesses: await ofAll(witnessed, (one) =>
        judgeWitnesses(partOf(parts, one.shard).snapshot, [one], agreeing, options),
      ),
    };
    onPhase('liabilities');
    const checked = {
      ...{ ...logged, indexes, ...compared },
      liabilities: isWhole ? await checkLiabilities(withTheirShards(parts), options) : null,
    };
    const events = shards.reduce((sum, shard) => sum + shard.events, 0);
    const unlogged_results = isWhole ? followed.reduce((sum, { results }) => sum + results.unlogged, 0) : null;
    return { ok: isOk(shards, checked), events, shards, ...checked, evidence, unlogged_results };
  });
}

type FollowOptions = VerifyOptions &
  CheckpointOptions &
  Pick<RebuildOptions, 'evidence' | 'onProgress'> & { askers: NamelessUntil };

interface Followed extends Part {
  shards: ShardOutcome[];
  results: CommandResultsCheck;
  recorders: DepositRecorders;
  checkpoints: CheckpointCheck;
  prices: PriceRules[];
}

/** The log of a database's shards, from the first event of each, projected into temporary tables. */
async function follow(part: Part, policyActs: PolicyActsCheck, options: FollowOptions): Promise<Followed> {
  const { snapshot, every } = part;
  const heads = every.filter(({ shard }) => options.shard === undefined || options.shard === shard);
  const results = new CommandResultsCheck(snapshot);
  const recorders = new DepositRecorders(snapshot);
  const checkpoints = new CheckpointCheck(snapshot, { ...options, leftOut: leftOutOf(part).shards });
  const merchants = new LoggedMerchants(snapshot);
  const bounds = options.prices;
  const prices = bounds ? heads.map(({ shard }) => new PriceRules(shard, bounds)) : [];
  const onPage = async (page: readonly RecordedEvent[], rows: readonly EventRow[]) => {
    await results.follow(page);
    await recorders.follow(page);
    await merchants.follow(page);
    policyActs.follow(page);
    const shard = rows[0]?.shard;
    if (shard === undefined) return;
    prices.find((one) => one.shard === shard)?.follow(page);
    await checkpoints.follow(shard, rows);
  };
  const shards = await rebuildLog(snapshot, heads, {
    ...options,
    onPage,
    // A merchant that another log names as well may be why a rule is broken here.
    onFaultyPage: (page) => merchants.follow(page),
    onApplied: results.apply,
    onEnd: (isSound) => results.finishShard(isSound),
  });
  await analyzeTables(snapshot, TEMPORARY_SCHEMA);
  return { ...part, shards, results, recorders, checkpoints, prices };
}

const soundOf = ({ shards }: Followed) => shards.filter(({ fault }) => fault === null).map(({ shard }) => shard);

const agreeingOn = ({ every }: Part, agreeing: readonly CheckpointOutcome[]) =>
  agreeing.filter((outcome) => every.some(({ shard }) => shard === outcome.shard));

/** What all of them have, one after the other. */
const ofAll = async <One, Found>(
  all: readonly One[],
  find: (one: One) => Promise<readonly Found[]>,
): Promise<Found[]> => (await inTurn(all, find)).flat();

/** @returns what was signed of the shards that were asked for */
async function finishResults(
  { every, shards, results, checkpoints }: Followed,
  asked: number[] | undefined,
  isWhole: boolean,
  copied: CopiedResults | undefined,
): Promise<CheckpointOutcome[]> {
  if (isWhole) await results.finish(copied);
  const isAsked = asked === undefined || every.some(({ shard }) => asked.includes(shard));
  return isAsked ? checkpoints.finish(shards, asked) : [];
}

/** Undefined where the database has nothing of shards on others. */
const copiedResults = ({ name, copies }: Part, parts: readonly Part[]): CopiedResults | undefined =>
  copies.length > 0
    ? { others: parts.filter((other) => other.name !== name).map(({ snapshot }) => snapshot) }
    : undefined;

/** A fault of a table says on which database, unless it is home. */
const namedAt =
  (name: string) =>
  <Fault extends { of: string }>(fault: Fault): Fault =>
    name === HOME_DATABASE ? fault : { ...fault, of: `${fault.of} on ${name}` };

function indexesAt(name: string, { read, unread, faults }: IndexOutcome): IndexOutcome {
  return {
    read,
    unread: unread.map((index) => (name === HOME_DATABASE ? index : `${index} on ${name}`)),
    faults: faults.map(namedAt(name)),
  };
}

const indexesOf = (databases: readonly IndexOutcome[]): IndexOutcome => ({
  read: databases.reduce((sum, { read }) => sum + read, 0),
  unread: databases.flatMap(({ unread }) => unread),
  faults: databases.flatMap(({ faults }) => faults),
});

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

/** Each database says which logins its server has: a server with two of them says it of each. */
async function furtherLogins(parts: readonly Part[], names: readonly string[]): Promise<FurtherLogins> {
  const found = await inTurn(parts, async ({ name, snapshot }) => {
    const { with_rights, faults } = await findFurtherLogins(snapshot, names);
    return { with_rights, faults: faults.map(namedAt(name)) };
  });
  return {
    with_rights: found.reduce((sum, { with_rights }) => sum + with_rights, 0),
    faults: found.flatMap(({ faults }) => faults),
  };
}

const pricesOutcome = (prices: readonly PriceRules[]) => ({
  judged: prices.reduce((sum, { judged }) => sum + judged, 0),
  faults: prices.flatMap(({ fault }) => fault ?? []),
});

/** Once for each database that has it: which of them has it last is seen in the snapshots. */
const shardsIn = async (databases: LedgerDatabases) =>
  (
    await inTurn(databases, async ({ database }) =>
      (await readShards(database)).map(({ shard }) => ({ shard, database })),
    )
  ).flat();

function oneOf(heads: readonly ShardHead[], shard: number): ShardHead[] {
  const found = heads.filter((head) => head.shard === shard);
  if (found.length > 0) return found;
  throw new AuditFailure(
    `There is no shard ${shard}: there are ${heads.map((head) => head.shard).join(', ') || 'none'}.`,
  );
}

/**
 * With every shard sound, each row must follow from the log; else only rows of sound shards are compared.
 *
 * @param sound those whose rows are compared; all rows when left out
 * @param leftOut shards whose copies are not compared
 */
async function compareSound(
  { snapshot }: Part,
  sound: readonly number[] | undefined,
  leftOut: readonly number[],
): Promise<Pick<Verification, 'tables' | 'derived'>> {
  if (sound?.length === 0) return { tables: [], derived: [] };
  return {
    tables: await compareTables(snapshot, TEMPORARY_SCHEMA, sound, { shards: leftOut }),
    derived: await compareDerived(snapshot, TEMPORARY_SCHEMA, sound, { shards: leftOut }),
  };
}

function isOk(
  shards: readonly ShardOutcome[],
  checked: Omit<Verification, 'ok' | 'events' | 'shards' | 'evidence' | 'unlogged_results'>,
): boolean {
  return (
    shards.every(({ fault }) => fault === null) &&
    checked.missing.length === 0 &&
    checked.torn.length === 0 &&
    checked.copies.every(({ fault }) => fault === null) &&
    checked.published_beyond.length === 0 &&
    checked.barred.length === 0 &&
    checked.sums.length === 0 &&
    checked.schema.length === 0 &&
    (checked.logins?.faults.length ?? 0) === 0 &&
    checked.indexes.faults.length === 0 &&
    checked.shared_addresses.length === 0 &&
    checked.booked_twice.length === 0 &&
    (checked.strayed?.length ?? 0) === 0 &&
    checked.closed_for_others.length === 0 &&
    checked.ended_by_others.length === 0 &&
    checked.commands.length === 0 &&
    checked.checkpoints.every(({ fault, nodes_differing }) => fault === null && nodes_differing === 0) &&
    checked.unsigned.length === 0 &&
    (checked.prices?.faults.length ?? 0) === 0 &&
    (checked.acts?.faults.length ?? 0) === 0 &&
    checked.witnesses.every(({ fault }) => fault === null) &&
    (checked.liabilities?.faults.length ?? 0) === 0 &&
    checked.tables.every(isEqual) &&
    checked.derived.every(isEqual) &&
    checked.following.every(({ faults }) => faults.length === 0)
  );
}
