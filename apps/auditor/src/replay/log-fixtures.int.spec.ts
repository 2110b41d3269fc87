/** This version must derive the committed projections from the logs of older versions. */
import { appendEventRows, EventRow, recordedEvent } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { PROJECTION_TABLES } from '@stablecoin/ledger-store/projections/tables';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { withLedger } from '../database/ledger';
import {
  fixtureLog,
  fixtureNames,
  fixtureProjections,
  newFixture,
  writeFixtureProjections,
} from '../testing/log-fixtures';
import { storeResults } from '@stablecoin/ledger-log/testing/driven-log';
import { signLog } from '@stablecoin/ledger-log/testing/signed-log';
import { verify } from '../verify/verify';
import { replay } from './replay';

let files: TestDatabase;
let owner: LedgerDatabase;

beforeEach(async () => {
  files = await createTestDatabase('ledger');
  owner = new LedgerDatabase({ url: files.ownerUrl, applicationName: 'test', poolSize: 2 });
});
afterEach(async () => {
  await owner.$disconnect();
  await files.drop();
});

const audited = <Result>(work: (ledger: LedgerDatabase) => Promise<Result>) =>
  withLedger({ AUDIT_DATABASE_URL: files.ownerUrl }, work);

async function append(rows: readonly EventRow[]): Promise<void> {
  await appendEventRows(owner, rows);
  await storeResults(
    owner,
    rows.map(({ body }) => recordedEvent(body)),
  );
  for (const last of rows.filter((row, index) => rows[index + 1]?.shard !== row.shard)) {
    await owner.$executeRaw`
      INSERT INTO ledger_shards (shard, head_position, head_hash) VALUES (${last.shard}, ${last.position}, ${last.hash})`;
    const ofShard = rows.filter(({ shard }) => shard === last.shard);
    await signLog(owner, ofShard, [ofShard.length]);
  }
}

/** A row in the shape of every fixture: without the columns that came after the first one, where they say nothing. */
function asEver(table: string): string {
  if (table === 'account_balances')
    return `to_jsonb(t) - CASE WHEN reversed_deposits = 0 THEN 'reversed_deposits' ELSE '' END`;
  if (table !== 'transactions') return 'to_jsonb(t)';
  return `to_jsonb(t) - CASE WHEN under_policy IS NULL THEN ARRAY['waiting_for', 'under_policy'] ELSE '{}' END`;
}

async function linesOf(schema: string): Promise<string[]> {
  const lines: string[] = [];
  for (const { table, key } of PROJECTION_TABLES) {
    const rows = await owner.$queryRawUnsafe<{ line: string }[]>(
      `SELECT jsonb_build_object('table', '${table}', 'row', ${asEver(table)})::text AS line
       FROM ${schema}.${table} AS t ORDER BY ${key.join(', ')}`,
    );
    lines.push(...rows.map(({ line }) => line));
  }
  return lines;
}

describe.each(fixtureNames())('the log that version %s wrote', (name) => {
  it('leads to the projections that are committed', async () => {
    await append(fixtureLog(name));
    const { schema, shards } = await audited((ledger) => replay(ledger, new Date(0), { keep: true }));
    expect(shards.flatMap(({ fault }) => fault ?? [])).toEqual([]);
    const lines = await linesOf(String(schema));
    if (newFixture === name) writeFixtureProjections(name, lines);
    expect(lines).toEqual(fixtureProjections(name));
    for (const { table } of PROJECTION_TABLES) {
      await owner.$executeRawUnsafe(`INSERT INTO public.${table} SELECT * FROM ${schema}.${table}`);
    }
    expect(await audited((ledger) => verify(ledger))).toMatchObject({ ok: true, events: fixtureLog(name).length });
  });
});
