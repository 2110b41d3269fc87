import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { withLedger } from '../database/ledger';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { DrivenLog, writeLog } from '@stablecoin/ledger-log/testing/driven-log';
import { replay, ReplayOptions } from './replay';

const NOW = new Date('2026-11-21T12:34:56.789Z');
const SCHEMA = 'replay_20261121123456789';
let database: AuditedDatabase;

beforeAll(async () => {
  database = await auditedDatabase();
});
afterAll(() => database.drop());

const run = (options?: ReplayOptions) => database.audit((ledger) => replay(ledger, NOW, options));

async function schemas(): Promise<string[]> {
  const rows = await database.owner.$queryRaw<
    { name: string }[]
  >`SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'replay%'`;
  return rows.map(({ name }) => name);
}

describe('a replay', () => {
  it('equals the live tables and leaves nothing behind', async () => {
    const found = await run({ pageSize: 7, limits: { maxWallets: 1, maxTransactions: 1 } });
    expect(found).toMatchObject({ ok: true, schema: null, differences: [] });
    expect(found.tables.filter(({ equal }) => !equal)).toEqual([]);
    // No merchant of these logs has a policy: policies.int.spec.ts of verify has one.
    const empty = found.tables.filter(({ replayed }) => replayed.rows === 0).map(({ table }) => table);
    expect(empty).toEqual(['payout_policies', 'payout_usage']);
    expect(await schemas()).toEqual([]);
  });

  it('gives the same digests whatever the page size', async () => {
    const [one, other] = [await run({ pageSize: 1 }), await run()];
    expect(one.tables).toEqual(other.tables);
  });

  it('leaves its tables behind with --keep', async () => {
    const asOwner = { AUDIT_DATABASE_URL: database.ownerUrl };
    const kept = await withLedger(asOwner, (ledger) => replay(ledger, NOW, { keep: true }));
    expect(kept).toMatchObject({ ok: true, schema: SCHEMA });
    const [row] = await database.owner.$queryRawUnsafe<{ same: boolean }[]>(
      `SELECT (SELECT count(*) FROM ${SCHEMA}.transactions) = (SELECT count(*) FROM public.transactions) AS same`,
    );
    expect(row?.same).toBe(true);
    await database.owner.$executeRawUnsafe(`DROP SCHEMA ${SCHEMA} CASCADE`);
  });

  it('compares log and tables as of its beginning', async () => {
    const late = new DrivenLog(2);
    late.deposit(late.openWallet('USD'), '5');
    let written: Promise<void> | undefined;
    expect(
      (await run({ pageSize: 5, onStart: () => () => void (written ??= writeLog(database.owner, late)) })).ok,
    ).toBe(true);
    await written;
    expect((await run()).ok).toBe(true);
  });

  it('names the table and the row that differ', async () => {
    await database.owner
      .$executeRaw`UPDATE wallets SET address_index = address_index + 1 WHERE shard = 0 AND currency = 'USD'`;
    const found = await run();
    await database.restore();
    expect(found.tables.filter(({ equal }) => !equal).map(({ table }) => table)).toEqual(['wallets']);
    expect(found).toMatchObject({ ok: false });
    expect(found.differences.find(({ table }) => table === 'wallets')?.first).toEqual([
      { key: expect.any(String) as unknown, kind: 'differing', columns: ['address_index'] },
    ]);
  });

  it('reports how far a broken log can be replayed', async () => {
    await database.owner.$executeRaw`DELETE FROM ledger_events WHERE shard = 1 AND position = 4`;
    const found = await run();
    await database.restore();
    expect(found).toMatchObject({ ok: false, shards: [{ fault: null }, { events: 3, fault: { position: 4 } }] });
  });

  it('keeps its tables for the owner alone', async () => {
    const asService = (ledger: LedgerDatabase) => replay(ledger, NOW, { keep: true });
    await expect(withLedger({ LEDGER_DATABASE_URL: database.url }, asService)).rejects.toThrow(
      'Keeping the tables takes a schema, which ledger_app may not make: set AUDIT_DATABASE_URL to the owner of the database.',
    );
  });
});
