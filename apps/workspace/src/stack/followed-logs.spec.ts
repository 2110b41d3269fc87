import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FollowedLogs } from './followed-logs';
import { linesOfRequest } from './request-lines';

const folder = mkdtempSync(join(tmpdir(), 'logs-'));
const path = (name: string) => join(folder, name);
const line = (second: number, message: string, request_id = 'r') =>
  JSON.stringify({ level: 'info', time: `2026-11-22T12:00:0${second}.000Z`, message, request_id });
const textsOf = (logs: FollowedLogs) => logs.newLines().map(({ service, text }) => `${service} ${text}`);

afterAll(() => rmSync(folder, { recursive: true }));

it('shows the lines since the last look, of all services in the order of time', () => {
  const logs = new FollowedLogs(folder);
  writeFileSync(path('payout.log'), `${line(2, 'b')}\n`);
  writeFileSync(path('gateway.log'), `${line(1, 'a')}\n${line(3, 'c')}\n`);
  expect(textsOf(logs)).toEqual([`gateway ${line(1, 'a')}`, `payout ${line(2, 'b')}`, `gateway ${line(3, 'c')}`]);
  expect(textsOf(logs)).toEqual([]);
});

it('waits for the end of a line, and shows text of no logger after the line before it', () => {
  const logs = new FollowedLogs(folder);
  writeFileSync(path('payout.log'), `${line(1, 'a')}\nError: crashed\n${line(2, 'half').slice(0, 20)}`);
  writeFileSync(path('gateway.log'), '');
  expect(textsOf(logs)).toEqual([`payout ${line(1, 'a')}`, 'payout Error: crashed']);
  appendFileSync(path('payout.log'), `${line(2, 'half').slice(20)}\n`);
  expect(textsOf(logs)).toEqual([`payout ${line(2, 'half')}`]);
});

it('follows a restarted service into its new file', () => {
  const logs = new FollowedLogs(folder);
  writeFileSync(path('payout.log'), `${line(1, 'before')}\n`);
  textsOf(logs);
  renameSync(path('payout.log'), path('payout.previous.log'));
  writeFileSync(path('payout.log'), `${line(2, 'after')}\n`);
  expect(textsOf(logs)).toEqual([`payout ${line(2, 'after')}`]);
});

it('finds the lines of one request in all logs, also of the previous start and of servers', async () => {
  writeFileSync(path('payout.previous.log'), `${line(1, 'one', 'wanted')}\n${line(2, 'other')}\n`);
  writeFileSync(path('payout.log'), `${line(4, 'four', 'wanted')}\n{"half wanted`);
  writeFileSync(path('gateway.log'), `${line(3, 'wanted, says another', 'other')}\n${line(2, 'two', 'wanted')}\n`);
  writeFileSync(path('postgres.log'), 'LOG: wanted\n');
  const found = await linesOfRequest(folder, 'wanted');
  expect(found).toEqual([line(1, 'one', 'wanted'), line(2, 'two', 'wanted'), line(4, 'four', 'wanted')]);
});
