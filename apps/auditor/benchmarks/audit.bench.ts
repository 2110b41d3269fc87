/**
 * How fast the log is audited, compared with only reading it: `verify`, `replay` and the bare read alternate, each in a
 * process of its own, for several rounds. Also how much memory a verification takes for a quarter of the log and for
 * all of it, and how long the look-up of a past balance takes in a log of five million events.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { given } from '@stablecoin/benchmarking/given';
import { median } from '@stablecoin/benchmarking/measure';
import { progress, report } from '@stablecoin/benchmarking/report';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { Audit, AuditRun, AUDITS } from './audit-run';
import { lookUpThePast } from './past-balances';
import { WrittenLog } from './written-log';

const EVENTS = 200_000;
const ROUNDS = 3;
const RUN_TIMEOUT_MS = 10 * 60_000;
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

type Round = Record<Audit, AuditRun>;

const runAlone = promisify(execFile);

async function main(): Promise<void> {
  const url = given('BENCHMARK_OWNER_URL');
  const options = { applicationName: 'benchmark', poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const database = new LedgerDatabase({ url, ...options });
  try {
    const log = new WrittenLog(database);
    progress(`writing ${EVENTS / 4} events, then verifying them`);
    await log.grow(EVENTS / 4);
    const quarter = await audited('verify');
    progress(`writing on to ${EVENTS} events`);
    await log.grow(EVENTS);
    await database.$executeRaw`VACUUM ANALYZE`;
    await audited('bare');
    const rounds: Round[] = [];
    for (let number = 1; number <= ROUNDS; number += 1) {
      const round = await oneRound(number);
      rounds.push(round);
    }
    const past = await lookUpThePast(database);
    report({ ...figures(rounds, quarter), ...past }, process.argv.includes('--json'));
  } finally {
    await database.$disconnect();
  }
}

async function oneRound(number: number): Promise<Round> {
  const runs: [Audit, AuditRun][] = [];
  for (const audit of AUDITS) runs.push([audit, await audited(audit)]);
  const shown = runs.map(([audit, run]) => `${audit} ${Math.round(perSecond(run))}/s`);
  progress(`round ${number}: ${shown.join(', ')}`);
  return Object.fromEntries(runs) as Round;
}

async function audited(audit: Audit): Promise<AuditRun> {
  const args = ['--enable-source-maps', join(__dirname, 'audit-run.js'), audit];
  const { stdout } = await runAlone(process.execPath, args, { timeout: RUN_TIMEOUT_MS });
  return JSON.parse(stdout) as AuditRun;
}

const perSecond = ({ events, ms }: AuditRun) => (events * 1_000) / ms;

/** The median of ratios within a round: other load on the machine slows both sides of a round alike. */
function figures(rounds: readonly Round[], quarter: AuditRun) {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  return {
    events: of(({ bare }) => bare.events),
    bare_read_per_second: of(({ bare }) => perSecond(bare)),
    verify_per_second: of(({ verify }) => perSecond(verify)),
    replay_per_second: of(({ replay }) => perSecond(replay)),
    verify_to_bare_read: of(({ verify, bare }) => perSecond(verify) / perSecond(bare)),
    verify_cpu_us_per_event: of(({ verify }) => (verify.cpuMs * 1_000) / verify.events),
    bare_read_cpu_us_per_event: of(({ bare }) => (bare.cpuMs * 1_000) / bare.events),
    memory_mb_start: of(({ verify }) => verify.memoryAtStart),
    memory_mb_quarter: quarter.memoryAtMost,
    memory_mb_full: of(({ verify }) => verify.memoryAtMost),
    rounds: rounds.length,
  };
}

void main();
