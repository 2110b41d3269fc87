// The phases of npm run upgrade:check. A merchant works all the while at a steady rate, and in each phase another one goes
// its whole way besides:
//
//   the older version, as it was                            → what the others are compared with
//   this version's permissions on the bus                   calls that are under way just then may be sent again, once
//   this version's schema                                   beneath the older services
//   the older services started anew on them                 → as after a way back
//   this version, one service after the other               → mixed versions on the bus
//   the older version again, in the reverse order           → the way back, on the newer schema
//
// Then every payout has ended, the wallet holds what the answers add up to, the broker refused nobody anything, and this
// version's auditor verifies the log and replays it.

import { AssertionError } from 'node:assert';
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ROOT } from '../stack/paths.mjs';
import { SERVICES } from '../stack/services.mjs';
import { Refusal, say, step } from '../stack/terminal.mjs';
import { Balancer } from '../traffic/balancer.mjs';
import { journey, merchantClient } from '../traffic/journey.mjs';
import { Load } from '../traffic/load.mjs';
import { Finding } from './finding.mjs';
import { Fleet } from './fleet.mjs';
import { Merchant } from './merchant.mjs';
import { startSite } from './site.mjs';

const RATE = { callers: 6, everyMs: 300 };
const STEADY_MS = 1_000;
/** A call's deadline: one whose own answer was forgotten waits so long, and its answer is refused in turn. */
const CALL_ENDS_WITHIN_MS = 5_000;
const COMMAND_TIMEOUT_MS = 120_000;
const FOUND_SHOWN = 5;
const AUDITS = ['verify', 'replay'];
/** As the handbook has it; the way back is the reverse. */
const ORDER = SERVICES;

/** Resolves to {phases, applied, payouts, findings, errors}; throws what kept it from being tried. */
export async function checkUpgrade({ older, folder, interruption }) {
  const site = await step('Postgres and NATS', (tell) => startSite({ folder, olderRoot: older.root, tell }));
  const fleet = new Fleet(site);
  const balancer = new Balancer(() => fleet.origins());
  const load = new Load(merchantClient(() => balancer.ready, site.apiKey));
  const upgrade = new Upgrade({ site, fleet, balancer, load, older, interruption });
  try {
    await upgrade.run();
  } catch (error) {
    upgrade.found(error);
  } finally {
    await load.stop();
    await balancer.stop();
    fleet.kill();
    await site.stop().catch((error) => say(`  Stopping: ${error.message}`));
  }
  return upgrade.outcome();
}

class Upgrade {
  phases = [];
  applied = [];
  findings = [];

  constructor(parts) {
    Object.assign(this, parts);
    this.newer = { name: 'this version', root: ROOT, drains: true };
  }

  async run() {
    const { site, fleet, older, newer } = this;
    await step(`${older.name}: databases`, () => site.migrateOlder());
    await step(`${older.name}: services`, () => fleet.startAll(older));
    await this.balancer.start();
    this.merchant = await Merchant.begin(this.load.ask).catch((error) => {
      throw new Refusal(`${older.name} does not work by itself: ${error.message}`);
    });
    this.load.start({ turns: this.merchant.turns(), ...RATE });
    await this.phase(`${older.name}, as it was`, () => sleep(2 * STEADY_MS));
    if (site.hasPermissions) await this.phase(`permissions of this version for ${older.name}`, () => this.permit());
    await this.phase(`schema of this version beneath ${older.name}`, async (tell) => {
      this.applied = await site.adoptSchema(tell);
    });
    await this.phase(`${older.name}, started anew on it`, () => fleet.replaceAll(older));
    for (const app of ORDER) await this.phase(`${app} → this version`, () => fleet.replace(app, newer));
    for (const app of [...ORDER].reverse()) await this.phase(`${app} → ${older.name}`, () => fleet.replace(app, older));
    await this.load.stop();
    await this.check();
  }

  /** The broker forgets which calls it is to let answers through for: those under way have to be sent again. */
  async permit() {
    this.load.repeatsUntil = Infinity;
    await this.site.adoptPermissions();
    this.load.repeatsUntil = Date.now();
    await sleep(CALL_ENDS_WITHIN_MS);
    this.site.expectAnswers();
  }

  /** `work` under load, then a whole journey, then a while of nothing but load. */
  async phase(title, work) {
    const figures = this.load.beginCount();
    this.phases.push({ phase: title, figures });
    await step(title, async (tell) => {
      await this.interruption(asFinding(work(tell)));
      await this.interruption(asFinding(journey(this.load.ask), "A merchant's journey ended with: "));
      await this.interruption(sleep(STEADY_MS));
      this.fleet.requireRunning();
      tell(`${figures.requests} requests, ${figures.failures.length} failed`);
    });
  }

  async check() {
    const { site, fleet, load, merchant } = this;
    await step('Payouts and balance', (tell) => {
      tell(`${merchant.books.payouts.length} payouts`);
      return asFinding(merchant.settle(load.call));
    });
    await step('Services asked to end', () => fleet.stopAll());
    await step('Refusals of the broker', () =>
      requireNone('times the broker refused a service what it asked', site.violations()),
    );
    await step('Parked facts', async () =>
      requireNone(
        'facts that a service could not handle',
        JSON.parse(await this.command('dist/apps/operator/src/main.js', 'facts', 'list', '--json')),
      ),
    );
    for (const command of AUDITS)
      await step(`Audit by this version: ${command}`, () => this.command('dist/apps/auditor/src/main.js', command));
  }

  /** A command line of this version on the databases; resolves to what it printed. */
  async command(program, ...args) {
    const options = { cwd: ROOT, env: this.site.commandEnvironment, timeout: COMMAND_TIMEOUT_MS };
    const ran = promisify(execFile)(process.execPath, ['--enable-source-maps', program, ...args], options);
    const { stdout } = await ran.catch(({ code, stdout: told, stderr }) => {
      throw new Finding(`${program} ${args.join(' ')} ended with ${code}:\n${told}\n${stderr}`);
    });
    return stdout;
  }

  /** What is no finding kept the upgrade from being tried. */
  found(error) {
    if (!(error instanceof Finding)) throw error;
    this.findings.push(error.message);
  }

  outcome() {
    const phases = this.phases.map(({ phase, figures: { requests, failures, repeated, slowest_ms } }) => ({
      phase,
      requests,
      failed: failures.length,
      repeated,
      slowest_ms,
    }));
    const failures = this.phases.flatMap(({ phase, figures }) => figures.failures.map((what) => `${phase}: ${what}`));
    return {
      phases,
      applied: this.applied,
      payouts: this.merchant?.books.payouts.length ?? 0,
      findings: [...failures, ...this.findings],
      errors: this.fleet.errors(),
    };
  }
}

function requireNone(what, found) {
  const shown = found.slice(0, FOUND_SHOWN).map((one) => `\n  ${JSON.stringify(one)}`);
  if (found.length > 0) throw new Finding(`${found.length} ${what}:${shown.join('')}`);
}

const asFinding = (work, before = '') =>
  work.catch((error) => {
    const isTold = error instanceof Refusal || error instanceof AssertionError || error.counted;
    throw new Finding(`${before}${isTold ? error.message : error.stack}`);
  });
