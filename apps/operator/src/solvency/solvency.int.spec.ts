import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PeopleDatabase } from '@stablecoin/people-store/people-database';
import { SolvencyReports } from '@stablecoin/people-store/solvency-reports';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { commandLine } from '../testing/command-line';
import { CustomerService } from '../testing/customer-service';

const folder = mkdtempSync(join(tmpdir(), 'solvency-'));
const LINE = { transfers: 0, amount: '0.0' };
const reportWith = (problem: string) => ({
  ok: false,
  statement: { number: 3, origin: 'ledger.example', time: '2026-01-31T09:30:00.000Z', key_id: 'a', shards: [] },
  currencies: [],
  networks: [
    {
      ...{ network: 'erc20', nodes: ['a'], block_number: 9, block_hash: '0x1', addresses: 1 },
      tokens: [
        {
          ...{ currency: 'USDC', held: '1.0', put_in: LINE, taken_out: LINE, booked: '2.0', explained: {} },
          ...{ unexplained: '-1.0', findings: [{ amount: '-1.0', problem }] },
        },
      ],
    },
  ],
  not_looked_at: [],
});

let service: CustomerService;
let backoffice: TestDatabase;
let people: PeopleDatabase;

beforeAll(async () => {
  service = await CustomerService.start();
  backoffice = await createTestDatabase('backoffice');
  people = new PeopleDatabase({ url: backoffice.url, poolSize: 1 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await people.$disconnect();
  await backoffice.drop();
  await service.stop();
});

const line = commandLine(() => service);
const keep = (content: unknown) => {
  const file = join(folder, 'report.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return line.operate(['solvency', 'keep', file], { ...line.environment(), BACKOFFICE_DATABASE_URL: backoffice.url });
};

it('keeps what the auditor printed, on the record, with since when each difference is there', async () => {
  const reports = new SolvencyReports(people);
  expect(await reports.find()).toBeUndefined();
  expect((await keep(reportWith('a unit is missing'))).code).toBe(0);
  const first = await reports.find();
  const since = first?.report.networks[0]?.tokens[0]?.findings[0]?.since;
  expect(since).toMatch(/^20/);
  await keep(reportWith('a unit is missing'));
  const second = await reports.find();
  expect(second?.report.networks[0]?.tokens[0]?.findings).toEqual([
    { amount: '-1.0', problem: 'a unit is missing', since },
  ]);
  expect((await reports.list()).map(({ number, is_sound }) => [number, is_sound])).toEqual([
    [second?.number, false],
    [first?.number, false],
  ]);
  const { out } = await line.operate(['log', '--json'], line.environment());
  expect(out).toContain('solvency keep');
});

it.each(['', 'text', '{}', '[1]', '{"ok":true}'])('keeps nothing of a file that is no report: %j', async (content) => {
  const before = await new SolvencyReports(people).list();
  expect(await keep(content)).toMatchObject({ code: 1, err: expect.stringContaining('no report') as unknown });
  expect(await new SolvencyReports(people).list()).toEqual(before);
});

it('a report that was kept stays as it is', async () => {
  await keep(reportWith('a unit is missing'));
  for (const statement of ['DELETE FROM solvency_reports', `UPDATE solvency_reports SET is_sound = true`])
    await expect(people.$executeRawUnsafe(statement)).rejects.toThrow();
});
