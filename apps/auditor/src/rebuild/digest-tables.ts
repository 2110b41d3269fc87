/** One digest per projection: SHA-256 over its rows in the order of their keys, a line of canonical JSON each. */
import { createHash } from 'node:crypto';
import { PROJECTION_TABLES, ProjectionTable } from '@stablecoin/ledger-store/projections/tables';
import { isLeftOut, LeftOut, NOTHING_LEFT_OUT } from './left-out';
import { RawSql } from '@stablecoin/persistence/sql';

const ROWS_AT_ONCE = 5_000;

export interface TableDigest {
  rows: number;
  sha256: string;
}

export type TableDigests = Record<ProjectionTable, TableDigest>;

interface Keyed {
  line: string;
  /** Of the row, as texts; left out where nothing is merged. */
  keys?: string[];
}

/** Only within a transaction: its cursor reads the rows in portions, so that memory never holds them all. */
export const digestTables = (sql: RawSql, schema: string): Promise<TableDigests> =>
  digestsOf(({ table, key }) => linesOf(sql, { table, schema, columns: '', order: key.join(', ') }, NOTHING_LEFT_OUT));

export interface DigestedDatabase {
  sql: RawSql;
  /** Rows of shards on other databases. */
  leftOut: LeftOut;
}

/**
 * Of the rows of several databases together, in one order: a shard that goes from one to the other changes no digest, and one database
 * in the order of bytes (a collation of `C`, as that of the local stack) has the digests of all in one.
 */
export const digestTablesOf = (databases: readonly DigestedDatabase[], schema: string): Promise<TableDigests> =>
  digestsOf(({ table, key }) => {
    const columns = `, ARRAY[${key.map((column) => `${column}::text`).join(', ')}] AS keys`;
    const order = key.map((column) => (TEXTS.has(column) ? `${column} COLLATE "C"` : column)).join(', ');
    return merged(databases.map(({ sql, leftOut }) => linesOf(sql, { table, schema, columns, order }, leftOut)));
  });

/** The order of other keys, numbers and UUIDs, is the same everywhere. */
const TEXTS: ReadonlySet<string> = new Set(['account_id', 'subject']);

interface DigestedTable {
  table: ProjectionTable;
  key: readonly string[];
}

async function digestsOf(linesFrom: (table: DigestedTable) => AsyncGenerator<Keyed>): Promise<TableDigests> {
  const digests: [ProjectionTable, TableDigest][] = [];
  for (const table of PROJECTION_TABLES) {
    const hash = createHash('sha256');
    let rows = 0;
    for await (const { line } of linesFrom(table)) {
      hash.update(line).update('\n');
      rows += 1;
    }
    digests.push([table.table, { rows, sha256: hash.digest('hex') }]);
  }
  return Object.fromEntries(digests) as TableDigests;
}

interface Selected {
  table: ProjectionTable;
  schema: string;
  columns: string;
  order: string;
}

async function* linesOf(
  sql: RawSql,
  { table, schema, columns, order }: Selected,
  leftOut: LeftOut,
): AsyncGenerator<Keyed, void> {
  await sql.$executeRawUnsafe(
    `DECLARE dump NO SCROLL CURSOR FOR SELECT to_jsonb(t)::text AS line${columns} FROM ${schema}.${table} AS t
     WHERE NOT ${isLeftOut(table, 't', leftOut)} ORDER BY ${order}`,
  );
  for (;;) {
    const lines = await sql.$queryRawUnsafe<Keyed[]>(`FETCH ${ROWS_AT_ONCE} FROM dump`);
    if (lines.length === 0) break;
    yield* lines;
  }
  await sql.$executeRawUnsafe('CLOSE dump');
}

/** The one with the least key of all, each time, until none has more. */
async function* merged(sources: readonly AsyncGenerator<Keyed, void>[]): AsyncGenerator<Keyed> {
  const next = await Promise.all(sources.map((source) => source.next()));
  for (;;) {
    let first: { index: number; row: Keyed } | undefined;
    for (const [index, { done, value }] of next.entries())
      if (!done && (!first || isBefore(value.keys ?? [], first.row.keys ?? []))) first = { index, row: value };
    if (!first) return;
    yield first.row;
    next[first.index] = await (sources[first.index] as AsyncGenerator<Keyed, void>).next();
  }
}

const NUMBER = /^\d+$/;

function isBefore(one: readonly string[], other: readonly string[]): boolean {
  for (const [index, key] of one.entries()) {
    const than = other[index] ?? '';
    if (key === than) continue;
    if (index === 0 && NUMBER.test(key) && NUMBER.test(than)) return Number(key) < Number(than);
    return Buffer.compare(Buffer.from(key), Buffer.from(than)) < 0;
  }
  return false;
}
