/** Empty tables beside the live ones, with the same constraints, into which the log is projected anew. */
import { PROJECTION_TABLES } from '@stablecoin/ledger-store/projections/tables';

/** Raw statements: names come from this program alone, never from outside. */
export interface RawSql {
  $executeRawUnsafe(statement: string, ...values: unknown[]): PromiseLike<number>;
  $queryRawUnsafe<Rows = unknown>(statement: string, ...values: unknown[]): PromiseLike<Rows>;
}

/** Of this connection only, gone with it; unqualified names mean these from now on. */
export const TEMPORARY_SCHEMA = 'pg_temp';

export async function createTemporaryTables(sql: RawSql): Promise<void> {
  for (const { table } of PROJECTION_TABLES) {
    await sql.$executeRawUnsafe(`CREATE TEMPORARY TABLE ${table} (LIKE public.${table} INCLUDING ALL)`);
  }
  await dropMereLookUps(sql);
}

/** Indexes that serve lists: nobody lists these tables, and each would have to be kept with every row. */
async function dropMereLookUps(sql: RawSql): Promise<void> {
  const indexes = await sql.$queryRawUnsafe<{ name: string }[]>(`
    SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE relnamespace = pg_my_temp_schema() AND NOT indisunique`);
  for (const { name } of indexes) await sql.$executeRawUnsafe(`DROP INDEX ${name}`);
}

/** In the transaction that uses it: with its rollback the schema has never been. */
export async function createReplaySchema(sql: RawSql, schema: string): Promise<void> {
  await sql.$executeRawUnsafe(`CREATE SCHEMA ${schema}`);
  for (const { table } of PROJECTION_TABLES) {
    await sql.$executeRawUnsafe(`CREATE TABLE ${schema}.${table} (LIKE public.${table} INCLUDING ALL)`);
  }
  await sql.$executeRawUnsafe(`SET LOCAL search_path TO ${schema}, public`);
}

/** So that comparing plans for the rows that are there; tables of one's own transaction are never analyzed by themselves. */
export async function analyzeTables(sql: RawSql, schema: string): Promise<void> {
  for (const { table } of PROJECTION_TABLES) await sql.$executeRawUnsafe(`ANALYZE ${schema}.${table}`);
}
