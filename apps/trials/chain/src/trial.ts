/** All schedules of a run, and in the end what the auditor says of the ledger and of what is held. */
import type { EvmNetwork } from '@stablecoin/chains/chains';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { say, step } from '@stablecoin/command-line/terminal';
import { PayingMerchant } from './acting/paying-merchant';
import { type Ground, startGround } from './ground/ground';
import { findingsOfAudits } from './oracle/audits';
import { ChainRecord } from './oracle/chain-record';
import type { PlantedBug } from './planted/planted-bugs';
import { runSchedule, type ScheduleResult, type TrialScene } from './run-schedule';
import { scheduleOf } from './schedule/schedule';

const AUDIT_EVERY = 100;
const TOLD_EVERY_MS = 10_000;

export interface TrialPlan {
  schedules: number;
  seed: number;
  repeat: number;
  network: EvmNetwork;
  planted?: PlantedBug;
}

export interface TrialOutcome {
  schedules: number;
  seconds: number;
  deposits: number;
  payouts: number;
  /** Steps by their kind. */
  steps: Record<string, number>;
  findings: number;
}

/** Ends at the first schedule that finds something: what comes after it would be on a ground that is not whole. */
export async function runTrial(folder: string, plan: TrialPlan): Promise<TrialOutcome> {
  const undo: (() => Promise<unknown>)[] = [];
  const interruption = new Interruption();
  try {
    const scene = await Promise.race([openScene({ folder, ...plan }, undo), interruption.comes]);
    return await Promise.race([runAll(scene, plan, interruption), interruption.comes]);
  } finally {
    for (const stop of undo.reverse()) await stop();
  }
}

/** The servers are of process groups of their own: they end with the trial, not with the terminal's Ctrl-C. */
class Interruption {
  hasCome = false;
  readonly comes: Promise<never>;

  constructor() {
    this.comes = new Promise((_, interrupted) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.once(signal, () => {
          this.hasCome = true;
          interrupted(new OperatorError(`Interrupted by ${signal}.`));
        });
    });
    this.comes.catch(() => undefined); // It may come when nothing is waited for any more.
  }
}

async function openScene(...request: Parameters<typeof startGround>): Promise<TrialScene> {
  const ground = await startGround(...request);
  const merchant = await step('A merchant with money', () => PayingMerchant.open(ground));
  return { ground, merchant, record: new ChainRecord() };
}

async function runAll(
  scene: TrialScene,
  { schedules, seed, repeat, planted }: TrialPlan,
  interruption: Interruption,
): Promise<TrialOutcome> {
  const { ground } = scene;
  const startedAt = Date.now();
  const outcome: TrialOutcome = { schedules: 0, seconds: 0, deposits: 0, payouts: 0, steps: {}, findings: 0 };
  let toldAt = 0;
  const total = schedules * repeat;
  for (let index = 0; index < total && outcome.findings === 0; index += 1) {
    const schedule = scheduleOf(seed + Math.floor(index / repeat));
    const result = await runSchedule(scene, schedule);
    if (interruption.hasCome) break;
    const isAudited = (index + 1) % AUDIT_EVERY === 0 || index + 1 === total || result.findings.length > 0;
    const findings = [...result.findings, ...(isAudited ? await findingsOfAudits(ground) : [])];
    outcome.schedules += 1;
    outcome.deposits += result.deposits;
    outcome.payouts += result.payouts;
    for (const { step: done } of schedule.steps) outcome.steps[done.kind] = (outcome.steps[done.kind] ?? 0) + 1;
    outcome.findings = findings.length;
    outcome.seconds = (Date.now() - startedAt) / 1_000;
    if (findings.length > 0) report({ ...result, findings }, ground);
    if (Date.now() - toldAt < TOLD_EVERY_MS && index + 1 < total) continue;
    toldAt = Date.now();
    const each = (outcome.seconds / outcome.schedules).toFixed(1);
    say(
      `  ${outcome.schedules}/${total} schedules, ${each} s each; ${outcome.deposits} deposits, ${outcome.payouts} payouts`,
    );
  }
  const verdict = outcome.findings === 0 ? 'nothing was found' : `${outcome.findings} findings`;
  say(`  ${verdict}${planted === undefined ? '' : `; planted: ${planted}`}; steps: ${JSON.stringify(outcome.steps)}`);
  return outcome;
}

function report({ seed, findings, history }: ScheduleResult, { network }: Ground): void {
  say(`\n  Seed ${seed} on ${network}:`);
  for (const line of history) say(`    ${line}`);
  say(`  ${findings.length} findings:`);
  for (const finding of findings) say(`    ${finding}`);
  say(`  Once more, 20 times: npm run trial -- chain --network ${network} --schedules 1 --seed ${seed} --repeat 20\n`);
}
