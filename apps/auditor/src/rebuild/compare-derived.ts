/**
 * Compares what answers lists, searches and charts, beside the projections, with the transactions rebuilt from the log: the totals
 * (`transaction_counts`, by which lists also find their pages), the index of searches (`transaction_search`), and the figures of each
 * day (`daily_figures`), which follow from what the log says of these transactions.
 */
import { figuresOf } from '@stablecoin/ledger-store/daily-figures';
import { Prisma } from '@stablecoin/ledger-store/generated/client';
import { DERIVED_TABLES, DerivedTable } from '@stablecoin/ledger-store/projections/tables';
import { NAMED_MAX, RowDifference, TableComparison } from './compare-tables';
import { isLeftOut, LeftOut, NOTHING_LEFT_OUT } from './left-out';
import { RawSql } from '@stablecoin/persistence/sql';

/**
 * @param shards compares only their merchants' rows; all rows when left out
 * @param leftOut rows of shards on other databases
 */
export async function compareDerived(
  sql: RawSql,
  schema: string,
  shards?: readonly number[],
  leftOut = NOTHING_LEFT_OUT,
): Promise<TableComparison[]> {
  const comparisons: TableComparison[] = [];
  for (const table of DERIVED_TABLES) comparisons.push(await compareOne(sql, { schema, leftOut }, table, shards));
  return comparisons;
}

async function compareOne(
  sql: RawSql,
  compared: Compared,
  table: DerivedTable,
  shards: readonly number[] | undefined,
): Promise<TableComparison> {
  const { rebuilt, differences } = QUERIES[table](compared);
  const [{ rows } = { rows: 0n }] = await sql.$queryRawUnsafe<{ rows: bigint }[]>(
    `SELECT count(*) AS rows FROM (${rebuilt}) AS rebuilt WHERE $1::int[] IS NULL OR shard = ANY ($1)`,
    shards ?? null,
  );
  const found = await sql.$queryRawUnsafe<(RowDifference & Record<'missing' | 'surplus' | 'differing', bigint>)[]>(
    `SELECT key, kind, columns, ${['missing', 'surplus', 'differing']
      .map((kind) => `count(*) FILTER (WHERE kind = '${kind}') OVER () AS ${kind}`)
      .join(', ')}
     FROM (${differences}) AS difference ORDER BY key LIMIT ${NAMED_MAX}`,
    shards ?? null,
  );
  const counts = found[0] ?? { missing: 0n, surplus: 0n, differing: 0n };
  return {
    table,
    rows: Number(rows),
    missing: Number(counts.missing),
    surplus: Number(counts.surplus),
    differing: Number(counts.differing),
    first: found.map(({ key, kind, columns }) => ({ key, kind, columns })),
  };
}

interface Compared {
  schema: string;
  leftOut: LeftOut;
}

interface Queries {
  /** The rows that follow from the log, with their shard. */
  rebuilt: string;
  /** Key, kind and columns of each row that differs; $1 is the shards. */
  differences: string;
}

const KIND = (key: string) => `
  CASE WHEN live.${key} IS NULL THEN 'missing' WHEN rebuilt.${key} IS NULL THEN 'surplus' ELSE 'differing' END AS kind`;

/** Rows of merchants of these shards, and of merchants whom the log doesn't know only where all shards are compared. */
const within = (schema: string, merchant: string) =>
  `($1::int[] IS NULL OR ${merchant} IN (SELECT merchant_id FROM ${schema}.wallets WHERE shard = ANY ($1)))`;

const QUERIES: Record<DerivedTable, (compared: Compared) => Queries> = {
  transaction_counts: countQueries,
  transaction_search: searchQueries,
  daily_figures: figureQueries,
};

/**
 * A row whose transactions have all moved on stays, with 0 of them. Its `first_position`, like that of any row, may be below
 * the first that is counted now, never above it; the least of a merchant's day, by which pages are found, is exact.
 */
function countQueries({ schema, leftOut }: Compared): Queries {
  const key = ['merchant_id', 'day', 'currency', 'transaction_type', 'transaction_mode', 'status'];
  const rebuilt = `
    SELECT merchant_id, (created_at AT TIME ZONE 'UTC')::date AS day, currency, transaction_type, transaction_mode, status,
      min(shard) AS shard, count(*) AS transactions, min(position) AS first_position
    FROM ${schema}.transactions GROUP BY 1, 2, 3, 4, 5, 6`;
  const days = (from: string) =>
    `SELECT merchant_id, day, min(first_position) AS first_position FROM ${from} GROUP BY 1, 2`;
  const differences = `
    WITH rebuilt AS MATERIALIZED (${rebuilt})
    SELECT concat_ws('/', ${key.join(', ')}) AS key, ${KIND('transactions')},
      CASE WHEN live.transactions IS NULL OR rebuilt.transactions IS NULL THEN '{}'::text[] ELSE array_remove(ARRAY[
        CASE WHEN live.first_position > rebuilt.first_position THEN 'first_position' END,
        CASE WHEN live.transactions <> rebuilt.transactions THEN 'transactions' END], NULL) END AS columns
    FROM public.transaction_counts AS live FULL JOIN rebuilt USING (${key.join(', ')})
    WHERE ${within(schema, 'merchant_id')} AND (
      COALESCE(live.transactions, 0) <> COALESCE(rebuilt.transactions, 0) OR live.first_position > rebuilt.first_position)
      AND NOT (rebuilt.transactions IS NULL AND ${isLeftOut('transaction_counts', 'live', leftOut)})
    UNION ALL
    SELECT concat_ws('/', merchant_id, day), 'differing', '{first_position}'::text[]
    FROM (${days('public.transaction_counts')}) AS live LEFT JOIN (${days('rebuilt')}) AS rebuilt USING (merchant_id, day)
    WHERE ${within(schema, 'merchant_id')}
      AND (rebuilt.first_position IS NULL OR live.first_position < rebuilt.first_position)
      AND NOT (rebuilt.first_position IS NULL AND ${isLeftOut('transaction_counts', 'live', leftOut)})`;
  return { rebuilt, differences };
}

/** The index has what lies up to its progress, which searches read beyond; it never claims more than there is. */
function searchQueries({ schema, leftOut }: Compared): Queries {
  const rebuilt = `
    SELECT merchant_id, opened.position, lower(transaction_id) || ' ' || id AS ids, shard
    FROM ${schema}.transactions AS opened JOIN public.transaction_search_progress AS progress USING (shard)
    WHERE opened.position <= progress.position`;
  const differences = `
    SELECT concat_ws('/', merchant_id, position) AS key, ${KIND('ids')},
      CASE WHEN live.ids IS NULL OR rebuilt.ids IS NULL THEN '{}'::text[] ELSE '{ids}' END AS columns
    FROM public.transaction_search AS live FULL JOIN (${rebuilt}) AS rebuilt USING (merchant_id, position)
    WHERE ${within(schema, 'merchant_id')} AND live.ids IS DISTINCT FROM rebuilt.ids
      AND NOT (rebuilt.ids IS NULL AND ${isLeftOut('transaction_search', 'live', leftOut)})
    UNION ALL ${aheadOfTheLog('transaction_search_progress', leftOut)}`;
  return { rebuilt, differences };
}

/** As the index: what lies up to the progress. */
function figureQueries({ schema, leftOut }: Compared): Queries {
  const key = [
    'merchant_id',
    'currency',
    'day',
    'transaction_type',
    'transaction_mode',
    'outcome',
    'settled_within_ms',
    'failure',
  ];
  const events = `
    SELECT event.* FROM public.ledger_events AS event JOIN public.daily_figures_progress AS progress USING (shard)
    WHERE event.position <= progress.position`;
  const rebuilt = figuresOf(Prisma.raw(events), Prisma.raw(`${schema}.transactions`)).sql;
  const values = ['amount', 'fee', 'shard', 'transactions'];
  const of = (table: string) => values.map((column) => `${table}.${column}`).join(', ');
  const differences = `
    SELECT concat_ws('/', ${key.map((column) => `nullif(${column}::text, '')`).join(', ')}) AS key, ${KIND('transactions')},
      CASE WHEN live.transactions IS NULL OR rebuilt.transactions IS NULL THEN '{}'::text[] ELSE array_remove(ARRAY[
        ${values.map((column) => `CASE WHEN live.${column} <> rebuilt.${column} THEN '${column}' END`).join(', ')}], NULL) END AS columns
    FROM public.daily_figures AS live FULL JOIN (${rebuilt}) AS rebuilt USING (${key.join(', ')})
    WHERE ${within(schema, 'merchant_id')}
      AND (${of('live')}) IS DISTINCT FROM (${of('rebuilt')})
      AND NOT (rebuilt.transactions IS NULL AND ${isLeftOut('daily_figures', 'live', leftOut)})
    UNION ALL ${aheadOfTheLog('daily_figures_progress', leftOut)}`;
  return { rebuilt, differences };
}

const aheadOfTheLog = (progress: string, { shards }: LeftOut) => `
    SELECT concat_ws(' ', 'shard', shard), 'differing', '{progress}'::text[]
    FROM public.${progress} AS progress JOIN public.ledger_shards USING (shard)
    WHERE progress.position > head_position AND ($1::int[] IS NULL OR shard = ANY ($1))
      AND shard <> ALL ('{${shards.join(',')}}'::int[])`;
