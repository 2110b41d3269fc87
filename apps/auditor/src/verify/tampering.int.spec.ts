/** The changes of tampering.spec.ts on a real database, and one change to every column of every projection. */
import { appendEventRows, EventRow } from '@stablecoin/ledger-store/event-rows';
import { PROJECTION_TABLES } from '@stablecoin/ledger-store/projections/tables';
import { Drawing } from '@stablecoin/testing/drawing';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { eventfulLog, judgedLog } from '@stablecoin/ledger-log/testing/driven-log';
import { tamper } from '@stablecoin/ledger-log/testing/tampering';
import { verify } from './verify';

// npm run test:tampering runs it longer.
const CASES = Math.ceil(Number(process.env['TAMPERING_CASES'] ?? '100') / 10);
const SEED = Number(process.env['TAMPERING_SEED'] ?? Date.now() % 100_000);

let database: AuditedDatabase;
let rows: EventRow[];

beforeAll(async () => {
  database = await auditedDatabase();
  rows = database.logs[1]?.rows ?? [];
});
afterAll(() => database.drop());

const run = () => database.audit((ledger) => verify(ledger));

async function replaceLog(by: readonly EventRow[]): Promise<void> {
  await database.owner.$executeRaw`DELETE FROM ledger_events WHERE shard = 1`;
  if (by.length > 0) await appendEventRows(database.owner, by);
}

describe(`a log that was changed (${CASES} times, seed ${SEED})`, () => {
  it('is found, with shard and first bad position, and instructions', async () => {
    const draw = new Drawing(SEED);
    for (let index = 0; index < CASES; index += 1) {
      const { name, rows: tampered, first } = tamper(rows, draw);
      await replaceLog(tampered);
      const { ok, shards } = await run();
      const position = shards[1]?.fault?.position ?? 0;
      const found = !ok && first[0] <= position && position <= first[1];
      expect(`${name}: ${found ? 'found' : `${position}, not ${first.join(' to ')}`}`).toBe(`${name}: found`);
    }
    await replaceLog(rows);
    expect((await run()).ok).toBe(true);
  }, 600_000);
});

describe('a projection with one changed value', () => {
  const CHANGED: Record<string, (column: string) => string> = {
    text: (column) => `COALESCE(${column}, '') || 'x'`,
    uuid: () => 'gen_random_uuid()',
    integer: (column) => `${column} + 1`,
    bigint: (column) => `${column} + 1`,
    numeric: (column) => `COALESCE(${column}, 0) + 1`,
    'timestamp with time zone': (column) => `COALESCE(${column}, now()) + interval '1 ms'`,
  };

  let database: AuditedDatabase;

  beforeAll(async () => {
    database = await auditedDatabase([eventfulLog(0), judgedLog(1)]);
  });
  afterAll(() => database.drop());

  it('is found, in every column', async () => {
    const columns = await database.owner.$queryRaw<{ table: string; column: string; type: string }[]>`
      SELECT table_name::text AS table, column_name::text AS column, data_type::text AS type
      FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = ANY (${PROJECTION_TABLES.map(({ table }) => table)})
      ORDER BY table_name, ordinal_position`;
    expect(columns.length).toBeGreaterThan(50);
    for (const { table, column, type } of columns) {
      const changed = CHANGED[type]?.(column);
      const [one] = await database.owner.$queryRawUnsafe<{ ctid: string; old: string | null }[]>(
        `SELECT ctid::text, ${column}::text AS old FROM ${table} ORDER BY ctid LIMIT 1`,
      );
      await database.owner.$executeRawUnsafe(`UPDATE ${table} SET ${column} = ${changed} WHERE ctid = '${one?.ctid}'`);
      const { ok, shards, tables } = await database.audit((ledger) => verify(ledger));
      const faulty = tables.filter(({ missing, surplus, differing }) => missing + surplus + differing > 0);
      expect({
        column,
        ok,
        faults: shards.map(({ fault }) => fault),
        tables: faulty.map((found) => found.table),
      }).toEqual({ column, ok: false, faults: [null, null], tables: [table] });
      await database.restore();
    }
  }, 300_000);
});
