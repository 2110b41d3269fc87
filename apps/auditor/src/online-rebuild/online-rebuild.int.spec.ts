import { eventually } from '@stablecoin/testing/eventually';
import { createHash } from 'node:crypto';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { PROJECTION_TABLES } from '@stablecoin/ledger-store/projections/tables';
import { withLedger } from '../database/ledger';
import { isEqual } from '../rebuild/compare-tables';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { DrivenLog, writeLog } from '@stablecoin/ledger-log/testing/driven-log';
import { verify } from '../verify/verify';
import { onlineRebuild, OnlineRebuildOptions } from './online-rebuild';

const NOW = new Date('2026-11-21T13:00:00.000Z');

let database: AuditedDatabase;

beforeEach(async () => {
  database = await auditedDatabase();
});
afterEach(() => database.drop());

const run = (options?: OnlineRebuildOptions) =>
  withLedger({ LEDGER_MIGRATION_DATABASE_URL: database.ownerUrl }, (ledger) => onlineRebuild(ledger, NOW, options));
const verified = () => database.audit((ledger) => verify(ledger));

const damage = () => database.owner.$executeRaw`
  UPDATE account_balances SET balance = balance + 7 WHERE shard = 1 AND account_id = 'fees:USD'`;

/** Names and definitions of the live tables' indexes, constraints and policies, and the rights on the tables. */
async function structure(): Promise<string> {
  const tables = PROJECTION_TABLES.map(({ table }) => table);
  const found = await database.owner.$queryRaw`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = 'public' AND tablename = ANY (${tables})
    UNION ALL
    SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      AND conrelid::regclass::text = ANY (${tables})
    UNION ALL
    SELECT table_name, grantee || ' ' || privilege_type FROM information_schema.role_table_grants
    WHERE table_schema = 'public' AND table_name = ANY (${tables})
    UNION ALL
    SELECT tablename || ' ' || policyname, concat_ws(' ', permissive, roles, cmd, qual, with_check) FROM pg_policies
    WHERE schemaname = 'public' AND tablename = ANY (${tables})
    UNION ALL
    SELECT relname, 'row security ' || relrowsecurity FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relname = ANY (${tables})
    ORDER BY 1, 2`;
  return createHash('sha256').update(JSON.stringify(found)).digest('hex');
}

async function schemas(): Promise<string[]> {
  const rows = await database.owner.$queryRaw<{ name: string }[]>`
    SELECT nspname AS name FROM pg_namespace WHERE nspname ~ '^(rebuilt|replaced)' ORDER BY nspname`;
  return rows.map(({ name }) => name);
}

describe('an online rebuild', () => {
  it('reports that sound tables agree with the log, and leaves nothing behind', async () => {
    const found = await run({ pageSize: 7, limits: { maxWallets: 1, maxTransactions: 1 } });
    expect(found).toMatchObject({ ok: true, switched: false, faults: [], differences: [] });
    for (const { table } of PROJECTION_TABLES)
      expect(found.digests?.[table].rebuilt).toEqual(found.digests?.[table].live);
    expect(await schemas()).toEqual([]);
  });

  it('names the rows that differ, and changes nothing without --switch', async () => {
    await damage();
    const found = await run();
    expect(found).toMatchObject({ ok: false, switched: false });
    expect(found.differences.filter((table) => !isEqual(table))).toMatchObject([
      { table: 'account_balances', differing: 1, first: [{ key: '1/fees:USD', columns: ['balance'] }] },
    ]);
    expect((await verified()).ok).toBe(false);
  });

  it('puts new tables in place of the live ones, with their names, constraints, indexes and rights', async () => {
    const before = await structure();
    await damage();
    const found = await run({ switch: true });
    expect(found).toMatchObject({ ok: true, switched: true, switch: { attempts: 1 } });
    expect(await verified()).toMatchObject({ ok: true });
    expect(await structure()).toBe(before);
    expect(await schemas()).toEqual(['replaced_20261121130000000']);
    const [row] = await database.owner.$queryRaw<{ balance: string }[]>`
      SELECT (old.balance - new.balance)::text AS balance
      FROM replaced_20261121130000000.account_balances AS old JOIN account_balances AS new USING (shard, account_id)
      WHERE old.balance <> new.balance`;
    expect(row).toEqual({ balance: '7.00000000' });
  });

  it('includes events that are committed while it works', async () => {
    await damage();
    const late = new DrivenLog(2);
    late.deposit(late.openWallet('USD'), '5');
    let written: Promise<void> | undefined;
    const onStart = () => () => void (written ??= writeLog(database.owner, late));
    expect(await run({ switch: true, pageSize: 5, onStart })).toMatchObject({ ok: true, switched: true });
    await written;
    expect(await verified()).toMatchObject({ ok: true, shards: [{}, {}, { events: late.events.length }] });
  });

  it('goes on counting transactions after the switch', async () => {
    const counted = () => database.owner.$queryRaw`
      SELECT (SELECT sum(transactions) FROM transaction_counts)::int AS counted, count(*)::int AS rows FROM transactions`;
    await run({ switch: true });
    const [{ rows }] = (await counted()) as [{ rows: number }];
    const late = new DrivenLog(2);
    late.deposit(late.openWallet('USD'), '5');
    await writeLog(database.owner, late);
    expect(await counted()).toEqual([{ counted: rows + 1, rows: rows + 1 }]);
  });

  it('does not switch while a shard is held, and leaves no reservation', async () => {
    await database.owner
      .$executeRaw`UPDATE ledger_shards SET lease_expires_at = now() + interval '1 hour' WHERE shard = 1`;
    await damage();
    await expect(run({ switch: true, handOverMs: 100, attempts: 2, pauseMs: 10 })).rejects.toThrow(
      /nothing was switched/,
    );
    const rows = await database.owner.$queryRaw`SELECT reserved_until FROM ledger_shards`;
    expect(rows).toEqual([{ reserved_until: null }, { reserved_until: null }]);
    expect(await schemas()).toEqual([]);
  });

  it('does not wait for a long query, and tries again', async () => {
    await damage();
    let release = (): void => undefined;
    const reading = database.owner.$transaction(async (reader) => {
      await reader.$queryRaw`SELECT count(*) FROM wallets`;
      await new Promise<void>((done) => (release = done));
    });
    const rebuilding = run({ switch: true, pauseMs: 500 });
    setTimeout(() => release(), 2_500);
    expect(await rebuilding).toMatchObject({ ok: true, switched: true });
    expect((await rebuilding).switch?.attempts).toBeGreaterThan(1);
    await reading;
    expect(await verified()).toMatchObject({ ok: true });
  });

  it('has in its tables what an attempt projected that was given up', async () => {
    const heldFor = (interval: string) =>
      database.owner
        .$executeRaw`UPDATE ledger_shards SET lease_expires_at = now() + ${interval}::interval WHERE shard = 1`;
    const waiting = async () =>
      (
        await database.owner.$queryRaw<unknown[]>`
          SELECT FROM pg_locks WHERE relation = 'ledger_tree_nodes'::regclass AND NOT granted`
      ).length > 0;
    const reserved = async () =>
      (await database.owner.$queryRaw<unknown[]>`SELECT FROM ledger_shards WHERE reserved_until > now()`).length > 0;
    await heldFor('1 hour');
    let release = (): void => undefined;
    const storing = database.owner.$transaction(
      async (checkpointer) => {
        await checkpointer.$executeRaw`LOCK TABLE ledger_tree_nodes IN ROW EXCLUSIVE MODE`;
        await new Promise<void>((done) => (release = done));
      },
      { timeout: 30_000 },
    );
    const rebuilding = run({ switch: true, handOverMs: 100, attempts: 100, pauseMs: 50 });
    await eventually('its tables to be compared, and the shards reserved', reserved);
    const late = new DrivenLog(2);
    late.deposit(late.openWallet('USD'), '5');
    await writeLog(database.owner, late);
    await heldFor('-1 second');
    await eventually('an attempt to wait for the nodes', waiting);
    await eventually('it to be given up', async () => !(await waiting()));
    release();
    await storing;
    expect(await rebuilding).toMatchObject({ ok: true, switched: true });
    expect(await verified()).toMatchObject({ ok: true, shards: [{}, {}, { events: late.events.length }] });
  });

  it('never replaces the live tables from a log with a fault', async () => {
    await database.owner.$executeRaw`DELETE FROM ledger_events WHERE shard = 1 AND position = 4`;
    expect(await run({ switch: true })).toMatchObject({
      ok: false,
      switched: false,
      faults: [{ shard: 1, position: 4 }],
    });
    expect(await schemas()).toEqual([]);
  });

  it('is only for the owner of the tables', async () => {
    const asService = (ledger: LedgerDatabase) => onlineRebuild(ledger, NOW);
    await expect(withLedger({ LEDGER_DATABASE_URL: database.url }, asService)).rejects.toThrow(
      'A rebuild makes tables, which ledger_app may not: set LEDGER_MIGRATION_DATABASE_URL to the owner of the database.',
    );
  });
});
