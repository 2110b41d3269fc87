/**
 * The attacks one after the other, each in these phases:
 *
 *   before   what the victim notices of a quiet service; in the short form once for all attacks
 *   during   the attack, in a process of its own, while the victim goes on
 *   after    until the victim is served as before, for a bounded time: an attack does not count for the next one
 *
 * The short form has the same goals in less time.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type AttackReport, startAttack } from './attacker/attacker';
import type { Attack } from './attack';
import type { Attacker } from './load/attacker-account';
import { endedSince, processesByName } from './processes';
import { allowedMs, feltOf, findings, type Felt, of } from './victim/verdict';
import { type Kind, KINDS, type Observation, type Victim } from './victim/victim';

const WARM_UP_MS = 5_000;
const BEFORE_MS = 5_000;
/** The victim is served as before when it was for this long. */
const CALM_MS = { long: 1_000, short: 500 };
const CALM_WITHIN_MS = { long: 60_000, short: 20_000 };
const CALM_REQUESTS = 3;
const POLL_MS = 100;

export interface TrialPlan {
  attacks: readonly Attack[];
  seconds: number;
  isShort: boolean;
  isBusy: boolean;
}

export interface Site {
  baseUrl: string;
  dataDir: string;
  attacker: Attacker;
  victim: Victim;
}

export interface AttackResult {
  attack: string;
  before: Partial<Record<Kind, Felt>>;
  during: Partial<Record<Kind, Felt>>;
  errors: number;
  got: AttackReport;
  died: string[];
  calmAfterMs?: number;
  /** How late the victim's own program was at the most: that much of its times is not the service's. */
  victimLagMs: number;
  findings: string[];
}

/** @param tell hears of each result when it is there */
export async function runTrial(site: Site, plan: TrialPlan, tell: (result: AttackResult) => void): Promise<void> {
  await observed(site.victim, WARM_UP_MS);
  let before = await observed(site.victim, BEFORE_MS);
  for (const [index, attack] of plan.attacks.entries()) {
    if (index > 0 && !plan.isShort) before = await observed(site.victim, BEFORE_MS);
    tell(await tryAttack(site, plan, attack, before));
  }
}

const observed = async (victim: Victim, milliseconds: number): Promise<Observation[]> =>
  (await victim.during(() => delay(milliseconds))).observations;

async function tryAttack(
  { baseUrl, dataDir, attacker, victim }: Site,
  { seconds, isShort, isBusy }: TrialPlan,
  { name, victimUploads: uploads }: Attack,
  before: readonly Observation[],
): Promise<AttackResult> {
  const processes = processesByName(dataDir);
  const lag = monitorEventLoopDelay({ resolution: 10 });
  const running = await startAttack({ name, baseUrl, attacker, seconds });
  lag.enable();
  const { observations, result: got } = await victim.during(() => running.over, { uploads });
  lag.disable();
  const died = endedSince(processes, processesByName(dataDir));
  await running.gone;
  const calmAfterMs = await calm(victim, before, isShort && !isBusy ? 'short' : 'long');
  return {
    ...{ attack: name, before: feltByKind(before), during: feltByKind(observations) },
    errors: observations.filter(({ error }) => error !== undefined).length,
    ...{ got, died, calmAfterMs, victimLagMs: lag.max / 1e6 },
    findings: findings({ before, during: observations, died, calmAfterMs }, isBusy),
  };
}

const feltByKind = (observations: readonly Observation[]): Partial<Record<Kind, Felt>> =>
  Object.fromEntries(KINDS.map((kind) => [kind, feltOf(observations, kind)]));

/** @returns after how long the victim was served as before; undefined when it was not in time */
async function calm(
  victim: Victim,
  before: readonly Observation[],
  form: 'long' | 'short',
): Promise<number | undefined> {
  const startedAt = Date.now();
  while (Date.now() - startedAt < CALM_WITHIN_MS[form]) {
    const { observations } = await victim.during(() => calmOrDisturbed(victim, before, CALM_MS[form]));
    if (isCalm(observations, before)) return Date.now() - startedAt;
  }
  return undefined;
}

/** Ends early when the victim notices something. */
async function calmOrDisturbed(victim: Victim, before: readonly Observation[], milliseconds: number): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline && !victim.noticed.some((one) => isDisturbed(one, before))) await delay(POLL_MS);
}

const isCalm = (observations: readonly Observation[], before: readonly Observation[]): boolean =>
  of(observations, 'read').length >= CALM_REQUESTS &&
  of(observations, 'write').length >= CALM_REQUESTS &&
  !observations.some((one) => isDisturbed(one, before));

function isDisturbed({ kind, ms, error }: Observation, before: readonly Observation[]): boolean {
  const felt = feltOf(before, kind);
  return error !== undefined || (felt !== undefined && ms > allowedMs(felt));
}
