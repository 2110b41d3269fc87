/** What follows from the policies in the log is compared like money; what the log says against them is a fault of the log. */
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { auditorUrl, createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { withLedger } from '../database/ledger';
import { judgedLog, writeLog } from '../testing/driven-log';
import { verify } from './verify';

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

const verified = (pageSize?: number) =>
  withLedger({ AUDIT_DATABASE_URL: auditorUrl(files) }, (ledger) => verify(ledger, { pageSize }));
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
