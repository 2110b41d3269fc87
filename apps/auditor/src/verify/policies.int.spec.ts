/** What follows from the policies in the log is compared like money; what the log says against them is a fault of the log. */
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { writePayoutUsages } from '@stablecoin/ledger-store/projections/payout-usage.projection';
import { auditorUrl, createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { withLedger } from '../database/ledger';
import { onlineRebuild } from '../online-rebuild/online-rebuild';
import { replay } from '../replay/replay';
import { judgedLog, writeLog } from '@stablecoin/ledger-log/testing/driven-log';
import { verify, VerifyOptions } from './verify';

let files: TestDatabase;
let owner: LedgerDatabase;
const log = judgedLog(0);

beforeEach(async () => {
  files = await createTestDatabase('ledger');
  owner = new LedgerDatabase({ url: files.ownerUrl, applicationName: 'test', poolSize: 2 });
  await writeLog(owner, log);
});
afterEach(async () => {
  await owner.$disconnect();
  await files.drop();
});

const verified = (pageSize?: number, limits?: VerifyOptions['limits']) =>
  withLedger({ AUDIT_DATABASE_URL: auditorUrl(files) }, (ledger) => verify(ledger, { pageSize, limits }));
const different = async () =>
  (await verified()).tables.filter(({ missing, surplus, differing }) => missing + surplus + differing > 0);

it.each([3, undefined])('a sound log leads to the rows that are there, read %s events at a time', async (pageSize) => {
  const { tables, ...found } = await verified(pageSize);
  expect(found).toMatchObject({ commands: [], ok: true, events: log.events.length });
  const counted = Object.fromEntries(tables.map(({ table, rows }) => [table, rows]));
  expect(counted).toMatchObject({ payout_policies: 1, payout_usage: 3 });
});

it.each([
  ['payout_policies', `UPDATE payout_policies SET policy = replace(policy, '100000', '900000')`, ['policy']],
  ['payout_policies', `DELETE FROM payout_policies`, []],
  ['payout_usage', `UPDATE payout_usage SET used = '{}' WHERE subject = 'merchant'`, ['used']],
  ['payout_usage', `UPDATE payout_usage SET released_at = NULL WHERE subject LIKE 'destination:%'`, ['released_at']],
  ['payout_usage', `DELETE FROM payout_usage WHERE subject LIKE 'rail:%'`, []],
  ['transactions', `UPDATE transactions SET waiting_for = NULL WHERE waiting_for IS NOT NULL`, ['waiting_for']],
  [
    'transactions',
    `UPDATE transactions SET under_policy = replace(under_policy, '"approvers":2', '"approvers":1')
     WHERE waiting_for IS NOT NULL`,
    ['under_policy'],
  ],
])('a row of %s that was changed is found: %s', async (table, statement, columns) => {
  expect(await owner.$executeRawUnsafe(statement)).toBe(1);
  const found = await different();
  expect(found.map((each) => [each.table, each.first.map((first) => first.columns)])).toEqual([[table, [columns]]]);
});

describe('what payouts count for, written up to a position before the log’s end', () => {
  const BEHIND = log.events.findIndex(({ movement }) => movement === 'payout-released') + 1;

  /** As a holder leaves it whose rows are not all written yet. */
  beforeEach(async () => {
    const state = new LedgerState();
    log.events.slice(0, BEHIND).forEach((recorded) => state.apply(recorded));
    await owner.$executeRaw`DELETE FROM payout_usage`;
    await writePayoutUsages(owner, 0, [...state.payoutUsages.values()]);
    await owner.$executeRaw`UPDATE ledger_shards SET counting_epoch = epoch, counted_position = ${BEHIND}`;
  });

  it.each([3, undefined])('is sound, read %s events at a time', async (pageSize) => {
    expect(await verified(pageSize, { maxWallets: 0, maxTransactions: 0 })).toMatchObject({ ok: true });
    const replayed = await withLedger({ AUDIT_DATABASE_URL: auditorUrl(files) }, (ledger) =>
      replay(ledger, new Date(), { pageSize }),
    );
    expect(replayed.ok).toBe(true);
  });

  it.each([BEHIND - 3, BEHIND + 12])('is found where it is not as of its position, %s', async (position) => {
    await owner.$executeRaw`UPDATE ledger_shards SET counted_position = ${position}`;
    expect((await different()).map(({ table }) => table)).toEqual(['payout_usage']);
  });

  it('is compared by a rebuild as of there, and the tables that it puts in place have everything', async () => {
    const rebuilt = (options: object) =>
      withLedger({ LEDGER_MIGRATION_DATABASE_URL: files.ownerUrl }, (ledger) =>
        onlineRebuild(ledger, new Date(), { pageSize: 4, ...options }),
      );
    expect(await rebuilt({})).toMatchObject({ ok: true, switched: false, differences: [] });
    expect(await rebuilt({ switch: true })).toMatchObject({ ok: true, switched: true });
    const [row] = await owner.$queryRaw<object[]>`
      SELECT (head_position - counted_position)::int AS behind, counting_epoch = epoch AS counting FROM ledger_shards`;
    expect(row).toEqual({ behind: 0, counting: true });
    expect(await verified()).toMatchObject({ ok: true });
  });
});
