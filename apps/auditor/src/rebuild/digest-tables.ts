/** One digest per projection: SHA-256 over its rows in the order of their keys, a line of canonical JSON each. */
import { createHash } from 'node:crypto';
import { PROJECTION_TABLES, ProjectionTable } from '@stablecoin/ledger-store/projections/tables';
import { RawSql } from './scratch-tables';

const ROWS_AT_ONCE = 5_000;

export interface TableDigest {
  rows: number;
  sha256: string;
}

/** Only within a transaction: its cursor reads the rows in portions, so that memory never holds them all. */
export async function digestTables(sql: RawSql, schema: string): Promise<Record<ProjectionTable, TableDigest>> {
  const digests: [ProjectionTable, TableDigest][] = [];
  for (const { table, key } of PROJECTION_TABLES) digests.push([table, await digestTable(sql, schema, table, key)]);
  return Object.fromEntries(digests) as Record<ProjectionTable, TableDigest>;
}

async function digestTable(sql: RawSql, schema: string, table: string, key: readonly string[]): Promise<TableDigest> {
  const hash = createHash('sha256');
  let rows = 0;
  await sql.$executeRawUnsafe(
    `DECLARE dump NO SCROLL CURSOR FOR SELECT to_jsonb(t)::text AS line FROM ${schema}.${table} AS t ORDER BY ${key.join(', ')}`,
  );
  for (;;) {
    const lines = await sql.$queryRawUnsafe<{ line: string }[]>(`FETCH ${ROWS_AT_ONCE} FROM dump`);
    if (lines.length === 0) break;
    lines.forEach(({ line }) => hash.update(line).update('\n'));
    rows += lines.length;
  }
  await sql.$executeRawUnsafe('CLOSE dump');
  return { rows, sha256: hash.digest('hex') };
}
