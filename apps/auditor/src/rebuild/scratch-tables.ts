/** Empty tables beside the live ones, with the same constraints, into which the log is projected anew. */
import { PROJECTION_TABLES } from '@stablecoin/ledger-store/projections/tables';
import { RawSql } from '@stablecoin/persistence/sql';

/** Tables of this connection, dropped when it ends; unqualified names resolve to them from their creation on. */
export const TEMPORARY_SCHEMA = 'pg_temp';

export async function createTemporaryTables(sql: RawSql): Promise<void> {
  for (const { table } of PROJECTION_TABLES) {
    await sql.$executeRawUnsafe(`CREATE TEMPORARY TABLE ${table} (LIKE public.${table} INCLUDING ALL)`);
  }
  await dropMereLookUps(sql);
}

/** Drops indexes that serve lists: no list reads these tables, and each index would cost time with every row. */
async function dropMereLookUps(sql: RawSql): Promise<void> {
  const indexes = await sql.$queryRawUnsafe<{ name: string }[]>(`
    SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE relnamespace = pg_my_temp_schema() AND NOT indisunique`);
  for (const { name } of indexes) await sql.$executeRawUnsafe(`DROP INDEX ${name}`);
}

/** Only within the transaction that uses it: its rollback removes the schema again. */
export async function createReplaySchema(sql: RawSql, schema: string): Promise<void> {
  await sql.$executeRawUnsafe(`CREATE SCHEMA ${schema}`);
  for (const { table } of PROJECTION_TABLES) {
    await sql.$executeRawUnsafe(`CREATE TABLE ${schema}.${table} (LIKE public.${table} INCLUDING ALL)`);
  }
  await sql.$executeRawUnsafe(`SET LOCAL search_path TO ${schema}, public`);
}

/** Gives the planner statistics: autovacuum never analyzes temporary tables or those of an open transaction. */
export async function analyzeTables(sql: RawSql, schema: string): Promise<void> {
  for (const { table } of PROJECTION_TABLES) await sql.$executeRawUnsafe(`ANALYZE ${schema}.${table}`);
}
