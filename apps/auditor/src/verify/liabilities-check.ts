/**
 * Compares the signed statements of liabilities with the log: every one must be there, signed, and speak of checkpoints that
 * are; and the trees of the newest are made anew from the tables that were rebuilt from the log. Statements that were kept
 * elsewhere are looked for, and made anew as well.
 */
import { readCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import {
  LiabilityStatement,
  readLiabilities,
  verifyLiabilities,
} from '@stablecoin/event-proofs/liabilities/liability-statement';
import { parseTrustedKey, TrustedKey } from '@stablecoin/event-proofs/signed-note';
import {
  LiabilityRow,
  latestLiabilities,
  readLiabilityRows,
} from '@stablecoin/ledger-store/liabilities/liability-rows';
import { Sql } from '@stablecoin/persistence/sql';
import { DatabaseWithShards } from '../database/placed-snapshots';
import { madeAnew } from '../liabilities/made-anew';
import { partsOfWallets } from '../liabilities/parts-of-wallets';

export interface LiabilityFault {
  /** Of the statement. */
  number: number;
  problem: string;
}

export interface LiabilitiesOutcome {
  /** How many statements are signed, and speak of what was signed of the log. */
  signed: number;
  /** How many of them were made anew from the log, and are right. */
  verified: number;
  /** Of the newest that is signed. */
  time: string | null;
  /** The first few. */
  faults: LiabilityFault[];
}

export interface LiabilitiesOptions {
  keys?: readonly TrustedKey[];
  /** How many of the newest statements are made anew; 1 when left out. */
  statements?: number;
  /** Signed statements that were kept elsewhere. */
  keptStatements?: readonly string[];
  /** How long after a part of the log was signed a statement has to speak of it; never, when left out. */
  statementsWithinMs?: number;
  /** What time it is. */
  now?: Date;
}

const AT_ONCE = 500;
const FAULTS_MAX = 10;

/**
 * @param databases all of the ledger's, in whose transactions `account_balances`, `wallets` and `transactions` were rebuilt from the log
 *   of their shards; the first one has the statements
 */
export async function checkLiabilities(
  databases: readonly [DatabaseWithShards, ...DatabaseWithShards[]],
  options: LiabilitiesOptions,
): Promise<LiabilitiesOutcome> {
  const [{ snapshot }] = databases;
  const outcome: LiabilitiesOutcome = { signed: 0, verified: 0, time: null, faults: [] };
  const kept = new Map((options.keptStatements ?? []).map((note) => [readLiabilities(note)?.number ?? 0, note]));
  const last = (await latestLiabilities(snapshot))?.number ?? 0;
  const firstMade = last - (options.statements ?? 1) + 1;
  const shardsSince = await ofEach(databases, firstSigned);
  let expected = 1;
  let before: LiabilityStatement | undefined;
  const fail = (number: number, problem: string) => {
    if (outcome.faults.length < FAULTS_MAX) outcome.faults.push({ number, problem });
  };
  for await (const row of everyRow(snapshot)) {
    if (row.number !== expected) fail(expected, `missing: the next one that is there is ${row.number}`);
    expected = row.number + 1;
    const statement = readLiabilities(row.note);
    const problem =
      (await problemOf(databases, row, statement, { before, shardsSince, keys: options.keys })) ??
      keptProblem(row, kept) ??
      dateProblem(row, statement);
    kept.delete(row.number);
    before = statement ?? before;
    if (problem || !statement) {
      fail(row.number, problem ?? 'it is no statement of liabilities');
      continue;
    }
    outcome.signed += 1;
    outcome.time = statement.time;
    if (row.number < firstMade && !options.keptStatements?.includes(row.note)) continue;
    const { problem: difference } = await madeAnew(snapshot, row, statement, partsOfWallets(databases, statement));
    if (difference) fail(row.number, difference);
    else outcome.verified += 1;
  }
  const late = await lateProblem(databases, before, options);
  if (late) fail(expected, late);
  for (const [number, note] of kept) {
    fail(number, `missing: it was signed at ${readLiabilities(note)?.time ?? 'some time'}, and kept elsewhere`);
  }
  return outcome;
}

/** What each database says of the shards that it has: one that a shard has left keeps what was there. */
async function ofEach<Row extends { shard: number }>(
  databases: readonly DatabaseWithShards[],
  rowsOf: (sql: Sql) => PromiseLike<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const { snapshot, shards } of databases)
    found.push(...(await rowsOf(snapshot)).filter(({ shard }) => databases.length === 1 || shards.includes(shard)));
  return found;
}

/**
 * Where the newest statements were deleted, the next one is late: it was made because the log had been signed further. Until the ledger
 * makes another, which it does not while it remembers those (`CHECKPOINT_MEMORY_DIRECTORY`).
 */
async function lateProblem(
  databases: readonly DatabaseWithShards[],
  newest: LiabilityStatement | undefined,
  { statementsWithinMs, now = new Date() }: LiabilitiesOptions,
): Promise<string | undefined> {
  if (statementsWithinMs === undefined) return undefined;
  const places = newest?.shards ?? [];
  const rows = await ofEach(
    databases,
    (sql) => sql.$queryRaw<{ shard: number; note: string }[]>`
      SELECT DISTINCT ON (shard) shard, note FROM ledger_checkpoints
      LEFT JOIN unnest(${places.map(({ shard }) => shard)}::int[], ${places.map(({ size }) => String(size))}::bigint[])
        AS stated (shard, size) USING (shard)
      WHERE tree_size > COALESCE(size, 0) ORDER BY shard, tree_size`,
  );
  const late = rows
    .flatMap(({ note }) => readCheckpoint(note) ?? [])
    .find(({ time }) => now.getTime() - Date.parse(time) > statementsWithinMs);
  return (
    late &&
    `missing: ${late.origin} was signed up to position ${late.size} at ${late.time}, and no statement speaks of it`
  );
}

async function* everyRow(sql: Sql): AsyncGenerator<LiabilityRow> {
  for (let after = 0; ;) {
    const rows = await readLiabilityRows(sql, { after, limit: AT_ONCE });
    yield* rows;
    after = rows.at(-1)?.number ?? after;
    if (rows.length < AT_ONCE) return;
  }
}

function keptProblem({ number, note }: LiabilityRow, kept: ReadonlyMap<number, string>): string | undefined {
  const other = kept.get(number);
  if (other === undefined || other === note) return undefined;
  return 'it is another than the statement of this number that was kept elsewhere';
}

/** By its row's date the ledger tells whether the next one is due, and which one it was at a time. */
function dateProblem({ created_at }: LiabilityRow, statement: LiabilityStatement | undefined): string | undefined {
  if (created_at === statement?.time) return undefined;
  return `it is dated ${created_at}, and was signed at ${statement?.time ?? 'some time'}`;
}

interface Known {
  before: LiabilityStatement | undefined;
  shardsSince: readonly ShardSince[];
  keys: readonly TrustedKey[] | undefined;
}

interface ShardSince {
  shard: number;
  /** When its first checkpoint was made. */
  since: string;
}

const firstSigned = (sql: Sql): PromiseLike<ShardSince[]> => sql.$queryRaw<ShardSince[]>`
  SELECT shard, to_char(min(created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS since
  FROM ledger_checkpoints GROUP BY shard ORDER BY shard`;

async function problemOf(
  databases: readonly DatabaseWithShards[],
  row: LiabilityRow,
  statement: LiabilityStatement | undefined,
  known: Known,
): Promise<string | undefined> {
  const { before, shardsSince, keys } = known;
  const stored = parseTrustedKey(row.verifier_key);
  const verified = verifyLiabilities(row.note, keys ?? (stored ? [stored] : []));
  if (typeof verified === 'string') return verified;
  if (!statement || statement.number !== row.number) return `it is the statement of number ${verified.number}`;
  if (before && before.origin !== statement.origin) return `it is one of ${statement.origin}, not of ${before.origin}`;
  const isBehind = before?.shards.some(
    ({ shard, size }) => (statement.shards.find((place) => place.shard === shard)?.size ?? -1) < size,
  );
  if (isBehind) return 'it speaks of an earlier position than the statement before it, or leaves a shard out';
  const leftOut = shardsSince.find(
    ({ shard, since }) => since < statement.time && !statement.shards.some((place) => place.shard === shard),
  );
  if (leftOut) return `it says nothing of shard ${leftOut.shard}, which had been signed since ${leftOut.since}`;
  return (await placesProblem(databases, statement)) ?? undefined;
}

/** Each position must be that of a checkpoint with this root; whether the checkpoints are right is another check. */
async function placesProblem(
  databases: readonly DatabaseWithShards[],
  { shards }: LiabilityStatement,
): Promise<string | undefined> {
  const signed = shards.filter(({ size }) => size > 0);
  const rows = await ofEach(
    databases,
    (sql) => sql.$queryRaw<{ shard: number; tree_size: bigint; note: string }[]>`
      SELECT shard, tree_size, note FROM ledger_checkpoints
      JOIN unnest(${signed.map(({ shard }) => shard)}::int[], ${signed.map(({ size }) => String(size))}::bigint[]) AS at (shard, tree_size)
        USING (shard, tree_size)`,
  );
  for (const { shard, size, root } of signed) {
    const found = rows.find((row) => row.shard === shard && Number(row.tree_size) === size);
    if (!readCheckpoint(found?.note ?? '')?.root.equals(root)) {
      return `it speaks of position ${size} of shard ${shard} with a root that was never signed`;
    }
  }
  return undefined;
}
