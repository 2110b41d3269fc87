/** Compares the live projections with those rebuilt from the log, row by row, inside the database. */
import { DerivedTable, PROJECTION_TABLES, ProjectionTable } from '@stablecoin/ledger-store/projections/tables';
import { isLeftOut, LeftOut, NOTHING_LEFT_OUT } from './left-out';
import { RawSql } from '@stablecoin/persistence/sql';

export interface TableComparison {
  table: ProjectionTable | DerivedTable;
  /** How many follow from the log. */
  rows: number;
  /** In the log, but not in the table. */
  missing: number;
  /** In the table, but not in the log. */
  surplus: number;
  differing: number;
  /** The first few, by key. */
  first: RowDifference[];
}

export interface RowDifference {
  key: string;
  kind: 'missing' | 'surplus' | 'differing';
  /** The columns that differ; their values stay in the database. */
  columns: string[];
}

export const NAMED_MAX = 10;

/**
 * @param shards compares only their rows; all rows when left out
 * @param leftOut rows of shards on other databases
 */
export async function compareTables(
  sql: RawSql,
  schema: string,
  shards?: readonly number[],
  leftOut = NOTHING_LEFT_OUT,
): Promise<TableComparison[]> {
  const comparisons: TableComparison[] = [];
  for (const { table, key } of PROJECTION_TABLES)
    comparisons.push(await compareTable(sql, schema, { table, key }, shards, leftOut));
  return comparisons;
}

export const isEqual = ({ missing, surplus, differing }: TableComparison) => missing + surplus + differing === 0;

async function compareTable(
  sql: RawSql,
  schema: string,
  { table, key }: { table: ProjectionTable; key: readonly string[] },
  shards: readonly number[] | undefined,
  leftOut: LeftOut,
): Promise<TableComparison> {
  const missing = `live.${key[0]} IS NULL`;
  const surplus = `rebuilt.${key[0]} IS NULL`;
  const from = `FROM public.${table} AS live FULL JOIN ${schema}.${table} AS rebuilt
    ON ${key.map((column) => `live.${column} = rebuilt.${column}`).join(' AND ')}
    WHERE ${shards ? scopeOf(table, schema) : '$1::int[] IS NULL'} AND NOT (${surplus} AND ${isLeftOut(table, 'live', leftOut)})`;
  const [counts] = await sql.$queryRawUnsafe<Record<'rows' | 'missing' | 'surplus' | 'differing', bigint>[]>(
    `SELECT count(*) FILTER (WHERE NOT (${surplus})) AS rows, count(*) FILTER (WHERE ${missing}) AS missing,
       count(*) FILTER (WHERE ${surplus}) AS surplus,
       count(*) FILTER (WHERE NOT (${missing}) AND NOT (${surplus}) AND ROW(live.*) IS DISTINCT FROM ROW(rebuilt.*)) AS differing
     ${from}`,
    shards ?? null,
  );
  if (!counts) throw new Error(`no counts for ${table}`);
  const found = {
    missing: Number(counts.missing),
    surplus: Number(counts.surplus),
    differing: Number(counts.differing),
  };
  const comparison: TableComparison = { table, rows: Number(counts.rows), ...found, first: [] };
  if (isEqual(comparison)) return comparison;
  const first = await sql.$queryRawUnsafe<RowDifference[]>(
    `SELECT concat_ws('/', ${key.map((column) => `COALESCE(live.${column}, rebuilt.${column})`).join(', ')}) AS key,
       CASE WHEN ${missing} THEN 'missing' WHEN ${surplus} THEN 'surplus' ELSE 'differing' END AS kind,
       CASE WHEN ${missing} OR ${surplus} THEN '{}'::text[] ELSE ARRAY(
         SELECT one.key FROM jsonb_each_text(to_jsonb(live)) AS one JOIN jsonb_each_text(to_jsonb(rebuilt)) AS other USING (key)
         WHERE one.value IS DISTINCT FROM other.value ORDER BY one.key
       ) END AS columns
     ${from} AND ROW(live.*) IS DISTINCT FROM ROW(rebuilt.*)
     ORDER BY 1 LIMIT ${NAMED_MAX}`,
    shards ?? null,
  );
  return { ...comparison, first };
}

/** Two tables have no shard column: an address belongs to its wallet's shard, a closed customer to its merchant's wallets'. */
function scopeOf(table: ProjectionTable, schema: string): string {
  const wallets = `SELECT %s FROM ${schema}.wallets WHERE shard = ANY ($1::int[])`;
  switch (table) {
    case 'account_balances':
    case 'wallets':
    case 'payout_policies':
    case 'payout_usage':
    case 'transactions':
      return 'COALESCE(rebuilt.shard, live.shard) = ANY ($1::int[])';
    case 'deposit_addresses':
      return `(rebuilt.id IS NOT NULL OR live.wallet_id IN (${wallets.replace('%s', 'id')}))`;
    case 'closed_customers':
      return `(rebuilt.customer_id IS NOT NULL OR live.merchant_id IN (${wallets.replace('%s', 'merchant_id')}))`;
  }
}

/** Of each table what all databases have of it. */
export function together(databases: readonly (readonly TableComparison[])[]): TableComparison[] {
  const [first = [], ...others] = databases.filter((tables) => tables.length > 0);
  return first.map((table) => others.reduce((sum, tables) => added(sum, tables), table));
}

function added(sum: TableComparison, tables: readonly TableComparison[]): TableComparison {
  const other = tables.find(({ table }) => table === sum.table);
  if (!other) return sum;
  return {
    table: sum.table,
    rows: sum.rows + other.rows,
    missing: sum.missing + other.missing,
    surplus: sum.surplus + other.surplus,
    differing: sum.differing + other.differing,
    first: [...sum.first, ...other.first].slice(0, NAMED_MAX),
  };
}
