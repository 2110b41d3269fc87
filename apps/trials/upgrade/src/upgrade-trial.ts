// The phases of npm run upgrade:check. One merchant sends requests at a steady rate all the time, and in each phase
// another one makes a whole journey, and dry runs are asked for:
//
//   the older version, as it was                            → what the others are compared with
//   this version's permissions on the bus                   calls that are under way just then may be sent again, once
//   this version's schema                                   beneath the older services
//   the older services started anew on them                 → as after a way back
//   this version, one service after the other               → mixed versions on the bus
//   the older version again, in the reverse order           → the way back, on the newer schema
//
// In the end every payout must have ended, the wallet must hold the sum of the answers, the broker must have refused no
// service anything, and this version's auditor must verify the log and replay it.

import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import { say, step, type Tell } from '@stablecoin/command-line/terminal';
import { nodeCommand } from '@stablecoin/local-stack/service-process';
import { SERVICES } from '@stablecoin/local-stack/services';
import { journey } from '@stablecoin/testing/journey';
import { Load, type LoadFigures } from '@stablecoin/testing/load';
import { LoadBalancer } from '@stablecoin/testing/load-balancer';
import { MerchantClient } from '@stablecoin/testing/merchant-client';
import { execa } from 'execa';
import { asFinding, Finding } from './finding';
import { Fleet, type LoggedError } from './fleet';
import { Merchant } from './merchant';
import type { Version } from './service-instance';
import { startSite, type Site } from './site';

const RATE = { callers: 6, everyMs: 300 };
const STEADY_MS = 1_000;
/** A call's deadline: a service whose call's answer was refused waits this long, and then its own answer is refused. */
const CALL_ENDS_WITHIN_MS = 5_000;
const COMMAND_TIMEOUT_MS = 120_000;
const FOUND_SHOWN = 5;
/** Of the statements of what is owed too, which both versions have signed in turns: more than are made in a trial. */
const AUDITS = [['verify', '--liabilities', '1000'], ['replay']];
/** The order of the handbook; the way back is the reverse. */
const ORDER = SERVICES;
const OPERATOR = 'dist/apps/operator/src/main.js';
const AUDITOR = 'dist/apps/auditor/src/main.js';

export interface UpgradePlan {
  older: Version;
  folder: string;
  /** Rejects `work` when the trial is interrupted. */
  interruptible: <Result>(work: Promise<Result>) => Promise<Result>;
}

export interface PhaseFigures {
  phase: string;
  requests: number;
  failed: number;
  repeated: number;
  slowest_ms: number;
}

export interface UpgradeOutcome {
  phases: PhaseFigures[];
  /** The migrations that were applied beneath the older version. */
  applied: string[];
  payouts: number;
  findings: string[];
  /** The errors that the services logged. */
  errors: LoggedError[];
}

/** Throws the reason if the upgrade could not be tried. */
export async function tryUpgrade(plan: UpgradePlan): Promise<UpgradeOutcome> {
  const { folder, older } = plan;
  const site = await step('Postgres and NATS', (tell) => startSite({ folder, olderRoot: older.root, tell }));
  const trial = new UpgradeTrial(plan, site);
  try {
    await trial.run();
  } catch (error) {
    if (!(error instanceof Finding)) throw error;
    trial.findings.push(error.message);
  } finally {
    await trial.stop();
    await site.stop().catch((error: unknown) => say(`  Stopping: ${errorMessage(error)}`));
  }
  return trial.outcome();
}

class UpgradeTrial {
  readonly findings: string[] = [];
  private readonly older: Version;
  private readonly newer: Version = { name: 'this version', root: ROOT, drains: true };
  private readonly fleet: Fleet;
  private readonly balancer: LoadBalancer;
  private readonly client: MerchantClient;
  private readonly load: Load;
  private readonly phases: { title: string; figures: LoadFigures }[] = [];
  private balancedOrigin = '';
  private merchant: Merchant | undefined;
  private applied: string[] = [];

  constructor(
    private readonly plan: UpgradePlan,
    private readonly site: Site,
  ) {
    this.older = plan.older;
    this.fleet = new Fleet(site);
    this.balancer = new LoadBalancer(() => this.fleet.origins());
    this.client = new MerchantClient({ baseUrl: () => `${this.balancedOrigin}/api`, apiKey: site.apiKey });
    this.load = new Load(this.client);
  }

  async run(): Promise<void> {
    const { site, fleet, older, newer } = this;
    await step(`${older.name}: databases`, () => site.migrateOlder());
    await step(`${older.name}: services`, () => fleet.startAll(older));
    this.balancedOrigin = await this.balancer.start();
    const merchant = await this.beginMerchant();
    this.load.start({ turns: merchant.turns(), ...RATE });
    await this.phase(`${older.name}, as it was`, () => sleep(STEADY_MS));
    if (site.hasPermissions) await this.phase(`permissions of this version for ${older.name}`, () => this.permit());
    await this.phase(`schema of this version beneath ${older.name}`, async (tell) => {
      this.applied = await site.adoptSchema(tell);
    });
    await this.phase(`${older.name}, started anew on it`, () => fleet.replaceAll(older));
    for (const service of ORDER) await this.phase(`${service} → this version`, () => fleet.replace(service, newer));
    await step('Dry runs by this version', () => asFinding(this.requireDryRuns(merchant)));
    for (const service of ORDER.toReversed())
      await this.phase(`${service} → ${older.name}`, () => fleet.replace(service, older));
    await this.load.stop();
    await this.check(merchant);
  }

  /** Ends the load and all services, in any state. */
  async stop(): Promise<void> {
    await this.load.stop();
    if (this.balancedOrigin !== '') await this.balancer.stop();
    this.fleet.kill();
  }

  outcome(): UpgradeOutcome {
    const phases = this.phases.map(({ title, figures: { requests, failures, repeated, slowestMs } }) => ({
      phase: title,
      requests,
      failed: failures.length,
      repeated,
      slowest_ms: slowestMs,
    }));
    const failures = this.phases.flatMap(({ title, figures }) => figures.failures.map((what) => `${title}: ${what}`));
    return {
      phases,
      applied: this.applied,
      payouts: this.merchant?.payouts.length ?? 0,
      findings: [...failures, ...this.findings],
      errors: this.fleet.errors(),
    };
  }

  private async beginMerchant(): Promise<Merchant> {
    this.merchant = await Merchant.begin(this.load.ask).catch((error: unknown) => {
      throw new OperatorError(`${this.older.name} does not work by itself: ${errorMessage(error)}`);
    });
    return this.merchant;
  }

  /** With new permissions the broker forgets the calls whose answers it allows: those under way must be sent again. */
  private async permit(): Promise<void> {
    this.load.repeatsUntil = Infinity;
    await this.site.adoptPermissions();
    this.load.repeatsUntil = Date.now();
    await sleep(CALL_ENDS_WITHIN_MS);
    this.site.expectAnswers();
  }

  /** Runs `work` under load, then a merchant's whole journey beside the load, for a minimum time. */
  private async phase(title: string, work: (tell: Tell) => Promise<void>): Promise<void> {
    const { interruptible } = this.plan;
    const figures = this.load.beginCount();
    this.phases.push({ title, figures });
    await step(title, async (tell) => {
      await interruptible(asFinding(work(tell)));
      const travelled = asFinding(journey(this.load.ask), "A merchant's journey ended with: ");
      await interruptible(Promise.all([travelled, sleep(STEADY_MS)]));
      // Not under load, where a refusal is a failure.
      if (this.merchant) await interruptible(asFinding(this.merchant.dryRun(this.client.ask)));
      this.fleet.requireRunning();
      tell(`${figures.requests} requests, ${figures.failures.length} failed`);
    });
  }

  private async requireDryRuns(merchant: Merchant): Promise<void> {
    if (!(await merchant.dryRun(this.client.ask))) throw new Finding('this version refuses a dry run');
  }

  private async check(merchant: Merchant): Promise<void> {
    const { site, fleet, client } = this;
    await step('Payouts and balance', (tell) => {
      tell(`${merchant.payouts.length} payouts`);
      // A separate request after the load: if it is refused, that is no failure under load.
      return asFinding(merchant.settle(client.ask));
    });
    await step('Services asked to end', () => fleet.stopAll());
    await step('Refusals of the broker', () =>
      requireNone('times the broker refused a service what it asked', site.violations()),
    );
    await step('Parked facts', async () => {
      const parked = JSON.parse(await this.command(OPERATOR, 'facts', 'list', '--json')) as unknown[];
      requireNone('facts that a service could not handle', parked);
    });
    for (const audit of AUDITS) {
      await step(`Audit by this version: ${audit.join(' ')}`, () => this.command(AUDITOR, ...audit));
    }
  }

  /** Runs a command line of this version on the databases; resolves to its output. */
  private async command(program: string, ...args: string[]): Promise<string> {
    const [node = '', ...words] = nodeCommand(program, ...args);
    const { exitCode, stdout, stderr, shortMessage } = await execa(node, words, {
      cwd: ROOT,
      env: this.site.commandEnvironment,
      extendEnv: false,
      timeout: COMMAND_TIMEOUT_MS,
      reject: false,
    });
    if (exitCode === 0) return stdout;
    throw new Finding(`${shortMessage ?? `${program} ended with ${exitCode ?? 'a signal'}`}:\n${stdout}\n${stderr}`);
  }
}

function requireNone(what: string, found: readonly unknown[]): void {
  const shown = found.slice(0, FOUND_SHOWN).map((one) => `\n  ${JSON.stringify(one)}`);
  if (found.length > 0) throw new Finding(`${found.length} ${what}:${shown.join('')}`);
}
