import { createTestDatabase } from '@stablecoin/testing/postgres';
import fc from 'fast-check';
import { Client } from 'pg';
import { arrayColumn, lineColumn } from './columns';

const text = fc.string({ unit: 'binary', maxLength: 20 }).map((value) => value.replaceAll('\0', '').toWellFormed());

it('any texts come out of Postgres as they went in', async () => {
  const files = await createTestDatabase('ledger');
  const client = new Client({ connectionString: files.url });
  await client.connect();
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
        const { rows } = await client.query('SELECT unnest($1::text[]) AS value', [arrayColumn(values)]);
        expect(rows.map(({ value }) => value as unknown)).toEqual(values);
        const lines = values.map((value) => JSON.stringify(value));
        const { rows: read } = await client.query(`SELECT string_to_table($1, E'\\n') AS line`, [lineColumn(lines)]);
        expect(read.map(({ line }) => line as unknown)).toEqual(lines);
      }),
      { numRuns: 200 },
    );
  } finally {
    await client.end();
    await files.drop();
  }
});
