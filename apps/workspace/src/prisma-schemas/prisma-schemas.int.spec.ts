// schema.prisma and the migrations are both written by hand (ADR 4): this compares each schema, column by column, with
// the database that the migrations make.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { DATABASES } from '@stablecoin/migrations/databases';
import { createTestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { linesOfSchema, type TableLines } from './schema-lines';

const schemaOf = (name: string) => readFileSync(join(ROOT, 'prisma', name, 'schema.prisma'), 'utf8');

/**
 * Leaves out what a schema.prisma can't express: partial indexes, indexes of expressions, and whether an array may be
 * null. It can't express NULLS NOT DISTINCT of a unique index either: such an index may be in the schema, if a relation
 * needs it, or not.
 */
const LINES_OF_DATABASE = `
  SELECT relname || '.' || attname || ': ' || format_type(atttypid, atttypmod)
    || CASE WHEN attnotnull AND attndims = 0 THEN ' not null' ELSE '' END AS line,
    true AS must_be_said
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    AND attnum > 0 AND NOT attisdropped AND relname <> '_prisma_migrations'
  UNION ALL
  SELECT tables.relname || ': ' || CASE
      WHEN indisprimary THEN 'primary key'
      WHEN indisunique THEN 'unique index ' || indexes.relname
      ELSE 'index ' || indexes.relname
    END || ' (' || string_agg(attname, ', ' ORDER BY place) || ')',
    NOT indnullsnotdistinct
  FROM pg_index
    JOIN pg_class AS tables ON tables.oid = indrelid
    JOIN pg_class AS indexes ON indexes.oid = indexrelid
    JOIN unnest(indkey::int2[]) WITH ORDINALITY AS key (attnum, place) ON place <= indnkeyatts
    JOIN pg_attribute ON attrelid = indrelid AND pg_attribute.attnum = key.attnum
  WHERE tables.relnamespace = 'public'::regnamespace AND NOT tables.relispartition
    AND tables.relname <> '_prisma_migrations' AND indpred IS NULL AND indexprs IS NULL
  GROUP BY tables.relname, indexes.relname, indisprimary, indisunique, indnullsnotdistinct`;

interface DatabaseLines {
  required: TableLines;
  optional: TableLines;
}

async function linesOfDatabase(url: string, extra = ''): Promise<DatabaseLines> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    if (extra) await client.query(extra);
    const { rows } = await client.query<{ line: string; must_be_said: boolean }>(LINES_OF_DATABASE);
    const linesWhere = (required: boolean) =>
      rows.flatMap(({ line, must_be_said }) => (must_be_said === required ? line : [])).sort();
    return { required: linesWhere(true), optional: linesWhere(false) };
  } finally {
    await client.end();
  }
}

it.each(DATABASES)('prisma/%s/schema.prisma says what its migrations make', async (name) => {
  const database = await createTestDatabase(name);
  try {
    const { required, optional } = await linesOfDatabase(database.ownerUrl);
    expect(linesOfSchema(schemaOf(name)).filter((line) => !optional.includes(line))).toEqual(required);
  } finally {
    await database.drop();
  }
});

it.each([
  ['a column', 'ALTER TABLE wallets ADD COLUMN colour text', 'wallets.colour: text'],
  [
    'a type',
    'ALTER TABLE wallets ALTER COLUMN description TYPE varchar(9)',
    'wallets.description: character varying(9)',
  ],
  ['a NOT NULL', 'ALTER TABLE wallets ALTER COLUMN description SET NOT NULL', 'wallets.description: text not null'],
  ['an index', 'CREATE INDEX by_colour ON wallets (currency)', 'wallets: index by_colour (currency)'],
])('sees %s that the schema lacks', async (_, change, line) => {
  const database = await createTestDatabase('ledger');
  try {
    const schema = linesOfSchema(schemaOf('ledger'));
    const { required } = await linesOfDatabase(database.ownerUrl, change);
    expect(required.filter((one) => !schema.includes(one))).toEqual([line]);
  } finally {
    await database.drop();
  }
});
