/**
 * Whether each index finds the rows that its table has. The ledger answers by indexes, and the comparison of tables with the log reads
 * the tables: a row that an index lacks is there for the one and not for the other, and a command whose result no index finds takes effect
 * twice. An index loses rows by a damaged disk or another collation of the machine, or where a superuser had it not kept for a while.
 *
 * Each table is read once in the order of its pages, and once by each of its indexes, from end to end: the keys are counted, and the sums
 * of their hashes compared, under a seed that is drawn for each run. A key that is read by the index is the index's own as far as Postgres
 * need not look at the row. Both are one pass over what verify reads anyway, without sorting.
 */
import { randomInt } from 'node:crypto';
import { RawSql, Sql } from '@stablecoin/persistence/sql';
import { INDEXES, PARTS } from './made-by-migrations';

export interface IndexFault {
  /** A table. */
  of: string;
  problem: string;
}

export interface IndexOutcome {
  /** How many were read from end to end. */
  read: number;
  /** Those that could not be: of another kind, of expressions, or one that Postgres reads in no case. */
  unread: string[];
  faults: IndexFault[];
}

interface Index {
  of: string;
  name: string;
  /** Quoted names of the columns that decide its order, and of all that it has. */
  keys: string[];
  columns: string[];
  /** Of a partial one. */
  condition: string | null;
  /** Postgres' own kind, of columns and no expressions. */
  is_plain: boolean;
  /** That, and the auditor may read its columns. */
  is_read: boolean;
  is_kept: boolean;
  /** From how it is made on. */
  definition: string;
  is_unique: boolean;
}

interface Counted {
  rows: number;
  hash: string;
}

/** Names no function: what the owner of the tables has made does not run here. */
const PLAIN_CONDITION = /^\(?(\w+) IS (?:NOT )?NULL\)?$/;
/** Postgres takes others only where there is no other way, which is so for each of these statements. */
const BY_PAGES = ['enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan'];
const BY_INDEX = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'enable_incremental_sort'];

export async function checkIndexes(sql: Sql & RawSql, tables: readonly string[]): Promise<IndexOutcome> {
  // Nothing that somebody has made is looked up in place of the catalogue's own.
  await sql.$executeRawUnsafe('SET LOCAL search_path TO pg_catalog, pg_temp');
  const indexes = await readIndexes(sql, tables);
  const readable = indexes.filter(
    ({ is_read, condition }) => is_read && PLAIN_CONDITION.test(condition ?? 'x IS NULL'),
  );
  const seed = randomInt(2 ** 47);
  const faults = indexes
    .filter(({ is_kept }) => !is_kept)
    .map(({ of, name }) => ({ of, problem: `index ${name} is used, and does not get the rows that are written` }));
  const outcome: IndexOutcome = {
    read: 0,
    unread: indexes.flatMap((index) => (readable.includes(index) ? [] : [index.name])),
    faults,
  };
  const inTables = await only(sql, BY_PAGES, () => countedInTables(sql, readable, seed));
  await only(sql, BY_INDEX, async () => {
    for (const index of readable) {
      const byIndex = await countedByIndex(sql, index, seed);
      if (byIndex) outcome.read += 1;
      else outcome.unread.push(index.name);
      const problem = byIndex && difference(index, byIndex, inTables.get(index));
      if (problem) faults.push({ of: index.of, problem });
    }
  });
  await sql.$executeRawUnsafe('SET LOCAL search_path TO public');
  faults.push(...unreadBecauseOfOthers(indexes, outcome.unread));
  return outcome;
}

/**
 * Whether an index finds its rows has to be seen, or the ledger's migrations have made it: Postgres answers by an index of
 * another kind, or by one of two alike, as well. A unique one too many is named with the parts of its table.
 */
function unreadBecauseOfOthers(indexes: readonly Index[], unread: readonly string[]): IndexFault[] {
  const isUnread = ({ name }: Index) => unread.includes(name);
  return indexes.flatMap((index) => {
    const { of, name, keys, definition, is_unique } = index;
    const beside = indexes.filter((other) => other !== index && other.of === of);
    const alike = beside.find((other) => other.definition === definition);
    if (alike && isUnread(index))
      return [{ of, problem: `index ${name} is like ${alike.name}, and whether it finds its rows can not be seen` }];
    if (is_unique || INDEXES[of]?.includes(definition)) return [];
    const problem = `index ${name} is none that the ledger's migrations have made`;
    if (isUnread(index) && isOfLaterVersion(index)) return [];
    if (isUnread(index)) return [{ of, problem: `${problem}, and whether it finds its rows can not be seen` }];
    const hidden = beside.find((other) => other.keys[0] === keys[0] && isUnread(other));
    return hidden
      ? [{ of, problem: `${problem}, and because of it can not be seen whether ${hidden.name} finds its rows` }]
      : [];
  });
}

/** Of columns alone that this version has not, and asks for nothing by: its migrations may be there before its program is. */
function isOfLaterVersion({ of, columns, condition, is_plain }: Index): boolean {
  const [, conditional] = (condition !== null && PLAIN_CONDITION.exec(condition)) || [];
  if (!is_plain || (condition !== null && conditional === undefined)) return false;
  const isOurs = (column: string) => PARTS[of]?.some((part) => part.startsWith(`column ${column} `)) === true;
  return ![...columns, ...(conditional === undefined ? [] : [conditional])].some(isOurs);
}

function difference({ name }: Index, byIndex: Counted, inTable: Counted | undefined): string | undefined {
  if (!inTable || byIndex.rows !== inTable.rows)
    return `index ${name} finds ${byIndex.rows} rows, of ${inTable?.rows ?? 0} that the table has`;
  return byIndex.hash === inTable.hash
    ? undefined
    : `index ${name} finds as many rows as the table has, under other keys`;
}

const readIndexes = (sql: Sql, tables: readonly string[]): PromiseLike<Index[]> => sql.$queryRaw<Index[]>`
  SELECT pg_class.relname AS of, index.relname AS name, keys, columns, condition, indisready AND indislive AS is_kept,
    substring(pg_get_indexdef(indexrelid) FROM ' (USING .*)') AS definition, indisunique AS is_unique,
    is_plain, is_plain AND may_read AS is_read
  FROM pg_index JOIN pg_class ON pg_class.oid = indrelid JOIN pg_class AS index ON index.oid = indexrelid
  JOIN pg_am ON pg_am.oid = index.relam
  CROSS JOIN LATERAL (
    SELECT array_agg(quote_ident(attname) ORDER BY place) FILTER (WHERE place <= indnkeyatts) AS keys,
      array_agg(quote_ident(attname) ORDER BY place) AS columns, bool_and(has_column_privilege(indrelid, attnum, 'SELECT')) AS may_read
    FROM unnest(indkey::int2[]) WITH ORDINALITY AS column_of (number, place) JOIN pg_attribute ON attrelid = indrelid AND attnum = number
  ) AS columns
  CROSS JOIN LATERAL (SELECT pg_get_expr(indpred, indrelid) AS condition, indexprs IS NULL AND amname = 'btree' AS is_plain) AS partial
  WHERE pg_class.relnamespace = 'public'::regnamespace AND pg_class.relname = ANY (${tables}::text[]) AND indisvalid
  ORDER BY pg_class.relname, name`;

const hashed = (columns: readonly string[], seed: number) =>
  `COALESCE(sum(hash_record_extended(ROW(${columns.join(', ')}), ${seed})::numeric), 0)`;

async function countedInTables(
  sql: RawSql,
  indexes: readonly Index[],
  seed: number,
): Promise<ReadonlyMap<Index, Counted>> {
  const counted = new Map<Index, Counted>();
  for (const of of new Set(indexes.map((index) => index.of))) {
    const ofTable = indexes.filter((index) => index.of === of);
    const found = await countedInTable(sql, of, ofTable, seed);
    found.forEach((each, place) => counted.set(ofTable[place] as Index, each));
  }
  return counted;
}

async function countedInTable(sql: RawSql, of: string, indexes: readonly Index[], seed: number): Promise<Counted[]> {
  const each = indexes.map(({ columns, condition }, place) => {
    const where = condition === null ? '' : ` FILTER (WHERE ${condition})`;
    const hash = hashed(columns, seed).replace('::numeric)', `::numeric)${where}`);
    return `(count(*)${where})::float8 AS rows_${place}, (${hash})::text AS hash_${place}`;
  });
  const [row = {}] = await sql.$queryRawUnsafe<Record<string, unknown>[]>(
    `SELECT ${each.join(', ')} FROM ONLY public.${of}`,
  );
  return indexes.map((_, place) => ({ rows: Number(row[`rows_${place}`]), hash: String(row[`hash_${place}`]) }));
}

/** @returns undefined where Postgres reads it by another index, or by none */
async function countedByIndex(sql: RawSql, index: Index, seed: number): Promise<Counted | undefined> {
  const { of, keys, columns, condition } = index;
  const where = condition === null ? '' : `WHERE ${condition}`;
  const statement = `SELECT count(*)::float8 AS rows, (${hashed(columns, seed)})::text AS hash
    FROM (SELECT ${columns.join(', ')} FROM ONLY public.${of} ${where} ORDER BY ${keys.join(', ')}) AS ordered`;
  const plan = await sql.$queryRawUnsafe(`EXPLAIN (FORMAT JSON) ${statement}`);
  if (!indexesIn(plan).includes(index.name)) return undefined;
  const [counted] = await sql.$queryRawUnsafe<Counted[]>(statement);
  return counted;
}

/** The names of all that a plan reads by. */
function indexesIn(plan: unknown): string[] {
  if (typeof plan === 'string') return plan.startsWith('[') ? indexesIn(JSON.parse(plan)) : [];
  if (typeof plan !== 'object' || plan === null) return [];
  const name = (plan as Record<string, unknown>)['Index Name'];
  return [...(typeof name === 'string' ? [name] : []), ...Object.values(plan).flatMap(indexesIn)];
}

/** With these ways of reading left out. */
async function only<Result>(sql: RawSql, left: readonly string[], work: () => Promise<Result>): Promise<Result> {
  for (const setting of left) await sql.$executeRawUnsafe(`SET LOCAL ${setting} = off`);
  const result = await work();
  for (const setting of left) await sql.$executeRawUnsafe(`SET LOCAL ${setting} TO DEFAULT`);
  return result;
}
