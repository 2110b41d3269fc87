/** The runner and the auditor's program as processes of their own, on a real Postgres. */
import { AuditRun, AuditRuns } from '@stablecoin/people-store/audit-runs';
import { AuditWork } from '@stablecoin/people-store/audit-work';
import { PeopleDatabase } from '@stablecoin/people-store/people-database';
import { builtProgram } from '@stablecoin/testing/built-program';
import { eventually } from '@stablecoin/testing/eventually';
import { asRole, auditorUrl, createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMBER = { person_id: randomUUID(), member_id: randomUUID(), merchant_id: null };
const folder = mkdtempSync(join(tmpdir(), 'audit-runner-'));
const PID_FILE = join(folder, 'auditor.pid');
/** Says how far it is, and then nothing more, until it is ended. */
const HANGS = `
  const { writeFileSync } = require('node:fs');
  writeFileSync(${JSON.stringify(PID_FILE)}, JSON.stringify({ pid: process.pid, env: process.env }));
  process.stderr.write('{"phase":"log","done":7,"total":9}\\n');
  process.stderr.write('connecting to db.internal\\n');
  process.once('disconnect', () => process.exit(2));
  setInterval(() => undefined, 1000);`;

/** Runs as HANGS does, until there is the file; then it finds the ledger sound. */
const reportingOnce = (file: string) => `${HANGS}
  const { existsSync } = require('node:fs');
  const report = '{"ok":true,"events":1,"seconds":1,"findings":[],"what_to_do":[]}';
  setInterval(() => existsSync(${JSON.stringify(file)}) && process.stdout.write(report, () => process.exit(0)), 20);`;

let people: TestDatabase;
let ledger: TestDatabase;
let database: PeopleDatabase;
let runs: AuditRuns;
const started: ChildProcess[] = [];
let onEnd: () => Promise<void>;

beforeAll(async () => {
  ledger = await createTestDatabase('ledger');
});
beforeEach(async () => {
  onEnd = () => Promise.resolve();
  people = await createTestDatabase('backoffice');
  database = new PeopleDatabase({ url: people.ownerUrl, poolSize: 1 });
  runs = new AuditRuns(database);
  await database.sql
    .$executeRaw`INSERT INTO people (id, sealed_name, sealed_email) VALUES (${MEMBER.person_id}::uuid, '', '')`;
  await database.sql.$executeRaw`
    INSERT INTO members (id, person_id, side, role, status)
    VALUES (${MEMBER.member_id}::uuid, ${MEMBER.person_id}::uuid, 'operator', 'auditor', 'active')`;
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  await onEnd();
  await database.$disconnect();
  await people.drop();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await ledger.drop();
});

interface Runner {
  child: ChildProcess;
  log: () => string;
}

/** @param program the auditor's own, or the text of one in its place */
function start(
  program?: string,
  url = asRole(people.ownerUrl, 'backoffice_audit_runner'),
  settings: NodeJS.ProcessEnv = {},
): Runner {
  const file = join(folder, 'auditor.js');
  if (program !== undefined) writeFileSync(file, program);
  const env = {
    PATH: process.env['PATH'],
    AUDIT_RUNS_DATABASE_URL: url,
    AUDIT_DATABASE_URL: auditorUrl(ledger),
    AUDIT_RUNNER_POLL_MS: '100',
    ...settings,
    PEOPLE_KEY: 'of-people',
    ...(program !== undefined && { AUDITOR_PROGRAM: file }),
  };
  const child = spawn(process.execPath, [builtProgram('apps/audit-runner/src/main.js')], {
    ...{ env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  started.push(child);
  return { child, log: () => log };
}

const ask = async () => {
  const number = await runs.ask(MEMBER);
  if (number === undefined) throw new Error('another one waits or runs');
  return number;
};
const LONG = { timeoutMs: 40_000 };
const until = (number: number, state: AuditRun['state']) =>
  eventually(
    `run ${number} is ${state}`,
    async () => {
      const run = await runs.find(number);
      return run?.state === state && run;
    },
    LONG,
  );
const untilHolds = () => eventually('a runner', async () => (await runs.runner()).is_there, LONG);
const untilSays = (runner: Runner, text: string) => eventually(text, () => runner.log().includes(text), LONG);
const silence = () => database.sql.$executeRaw`UPDATE audit_runner SET alive_at = alive_at - interval '1 minute'`;
/** The auditor's process in whose place HANGS runs. */
const hanging = () => JSON.parse(readFileSync(PID_FILE, 'utf8')) as { pid: number; env: NodeJS.ProcessEnv };
const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const untilGone = (pid: number) => eventually('the auditor is gone', () => !isThere(pid), LONG);
async function untilRunning(number: number) {
  const run = await eventually(
    'progress',
    async () => {
      const found = await runs.find(number);
      return found?.progress ? found : undefined;
    },
    LONG,
  );
  expect(run).toMatchObject({ state: 'running', progress: { phase: 'log', done: 7, total: 9 } });
  return hanging();
}

it('does what was asked for, before and after it was started, one run after the other', async () => {
  const first = await ask();
  start();
  expect(await until(first, 'sound')).toMatchObject({
    ...{ report: { ok: true, events: 0, findings: [], shards: [] }, failure: null },
    progress: { phase: 'liabilities', done: 0, total: 0 },
  });
  const second = await ask();
  expect(await until(second, 'sound')).toMatchObject({ number: second });
});

it('keeps a finding', async () => {
  const owner = new PeopleDatabase({ url: ledger.ownerUrl, poolSize: 1 });
  onEnd = async () => {
    await owner.$executeRawUnsafe('ALTER TABLE transactions ENABLE ROW LEVEL SECURITY');
    await owner.$disconnect();
  };
  await owner.$executeRawUnsafe('ALTER TABLE transactions DISABLE ROW LEVEL SECURITY');
  const number = await ask();
  start();
  const run = await until(number, 'finding');
  expect(run.report?.findings.join()).toContain('transactions');
});

it('gives the auditor the ledger and nothing of people, and keeps what it says of machines to its log', async () => {
  const number = await ask();
  const AUDIT_DATABASES = 'b=postgresql://ledger_auditor:x@db.internal:5432/ledger';
  const runner = start(HANGS, undefined, { AUDIT_DATABASES, AUDIT_LOGINS: 'stablecoin_owner' });
  const { env } = await untilRunning(number);
  expect(
    Object.keys(env)
      .filter((name) => !name.startsWith('NODE_CHANNEL'))
      .sort(),
  ).toEqual(['AUDIT_DATABASES', 'AUDIT_DATABASE_URL', 'AUDIT_LOGINS', 'PATH']);
  expect(env['AUDIT_DATABASES']).toBe(AUDIT_DATABASES);
  expect(env['AUDIT_LOGINS']).toBe('stablecoin_owner');
  await untilSays(runner, 'db.internal');
  expect(JSON.stringify(await runs.find(number))).not.toContain('db.internal');
});

it('hides the ledger’s URL, which has a password, in what the auditor says', async () => {
  await ask();
  const says = `process.stderr.write('no way to ' + process.env.AUDIT_DATABASE_URL + ' from here\\n');`;
  const runner = start(`${HANGS}\n${says}`);
  await untilSays(runner, 'from here');
  expect(runner.log()).not.toContain(auditorUrl(ledger));
});

it('tells on its operations port that it is ready, and its metrics', async () => {
  const { child } = start(undefined, undefined, { OPERATIONS_PORT: '0' });
  const [{ operations_url: url }] = (await once(child, 'message')) as [{ operations_url: string }];
  await eventually('it is ready', async () => (await fetch(`${url}/ready`)).status === 200, LONG);
  expect(await (await fetch(`${url}/metrics`)).text()).toContain('process_start_time_seconds');
});

it('stopped in the midst of a run, it ends the auditor, says so, and lets the next one begin at once', async () => {
  const number = await ask();
  const { child } = start(HANGS);
  const { pid } = await untilRunning(number);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(isThere(pid)).toBe(false);
  expect(await runs.find(number)).toMatchObject({
    state: 'interrupted',
    failure: expect.stringMatching(/stopped/) as unknown,
  });
  expect(await runs.runner()).toMatchObject({ is_there: false });
  const next = await ask();
  start();
  await until(next, 'sound');
});

it('killed in the midst of a run, its auditor ends, and the next one interrupts the run', async () => {
  const number = await ask();
  const { child } = start(HANGS);
  const { pid } = await untilRunning(number);
  child.kill('SIGKILL');
  await untilGone(pid);
  expect(await runs.find(number)).toMatchObject({ state: 'running' });
  const { log } = start();
  await silence();
  expect((await until(number, 'interrupted')).failure).toMatch(/in the midst/);
  await eventually('it says so', () => log().includes('left behind'));
  await until(await ask(), 'sound');
});

it('one of two works, and gives its run up when the other has taken its place', async () => {
  const number = await ask();
  start(HANGS);
  const { pid } = await untilRunning(number);
  await untilSays(start(HANGS), 'another runner is at it');
  expect(hanging().pid).toBe(pid);
  const third = new AuditWork(database, randomUUID());
  await eventually('the lease', async () => {
    await silence();
    return third.hold();
  });
  await third.endInterrupted(undefined);
  expect(await runs.find(number)).toMatchObject({ state: 'interrupted' });
  await untilGone(pid);
});

it('what was cancelled and has reached its verdict before it heard of that keeps the verdict', async () => {
  const number = await ask();
  const onTerm = `process.once('SIGTERM', () => { process.stdout.write(report, () => process.exit(0)); });`;
  start(`${reportingOnce(join(folder, 'never'))}\n${onTerm}`);
  await untilRunning(number);
  await runs.cancel(number, MEMBER);
  await until(number, 'sound');
});

it('what was cancelled is that also where its auditor dies of something else', async () => {
  const number = await ask();
  start(HANGS);
  const { pid } = await untilRunning(number);
  await runs.cancel(number, MEMBER);
  process.kill(pid, 'SIGKILL');
  await until(number, 'cancelled');
});

it('stopped while a run is cancelled, it says that it was cancelled', async () => {
  const number = await ask();
  const { child } = start(HANGS);
  await untilRunning(number);
  await runs.cancel(number, MEMBER);
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(await runs.find(number)).toMatchObject({ state: 'cancelled' });
});

it('cancelled, the auditor is ended', async () => {
  const number = await ask();
  start(HANGS);
  const { pid } = await untilRunning(number);
  await runs.cancel(number, MEMBER);
  await until(number, 'cancelled');
  expect(isThere(pid)).toBe(false);
});

describe('a people database that is away', () => {
  /** Between the runner and the people database. */
  async function network() {
    const through = new URL(asRole(people.ownerUrl, 'backoffice_audit_runner'));
    const [there, nowhere] = [Number(through.port), 1];
    let port = there;
    const proxy = await TcpProxy.listen(() => port);
    through.port = String(proxy.port);
    onEnd = () => proxy.close();
    const cut = () => {
      port = nowhere;
      for (const passage of proxy.open()) passage.cut();
    };
    return { url: through.href, cut, mend: () => (port = there) };
  }

  it('is waited for, and what was asked for meanwhile is done when it is back', async () => {
    const { url, cut, mend } = await network();
    const runner = start(undefined, url);
    await untilHolds();
    cut();
    await untilSays(runner, 'does not answer: waits');
    const number = await ask();
    mend();
    await until(number, 'sound');
    await untilSays(runner, 'is back');
  });

  it('is told the verdict that was reached meanwhile', async () => {
    const { url, cut, mend } = await network();
    const number = await ask();
    const end = join(folder, 'end');
    const { log } = start(reportingOnce(end), url);
    const { pid } = await untilRunning(number);
    cut();
    await eventually('it waits', () => log().includes('does not answer: waits'), LONG);
    writeFileSync(end, '');
    await untilGone(pid);
    mend();
    expect(await until(number, 'sound')).toMatchObject({ report: { ok: true } });
  });
});

describe('a run has failed, in one sentence, where the auditor', () => {
  const printing = (text: string, code: number) =>
    `process.stdout.write(${text}, () => process.exit(${code})); setTimeout(() => undefined, 5000);`;

  it.each([
    ['ends with an outage', printing(`''`, 2), 'could not finish (exit code 2)'],
    ['prints no report', printing(`'{"ok":true}'`, 0), 'no report of this version'],
    [
      'says another thing by its exit code than by its report',
      printing(`'{"ok":true,"events":1,"seconds":1,"findings":[],"what_to_do":[]}'`, 1),
      'no report of this version',
    ],
    ['prints too much', printing(`'x'.repeat(6 * 1024 * 1024)`, 0), 'more than 5 MB'],
    ['is killed', `process.kill(process.pid, 'SIGKILL')`, 'ended by SIGKILL'],
    [
      'prints what no database takes',
      printing(`'{"ok":true,"events":1,"seconds":1,"findings":[],"what_to_do":[],"of":"\\\\u0000"}'`, 0),
      'refused the report',
    ],
  ])('%s', async (_what, program, sentence) => {
    const number = await ask();
    start(program);
    expect((await until(number, 'failed')).failure).toContain(sentence);
  });
});
