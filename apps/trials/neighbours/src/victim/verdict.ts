/** Whether the victim noticed anything: the goals, and what missed them, in words. */
import { percentile } from '@stablecoin/benchmarking/measure';
import { type Kind, KINDS, type Observation } from './victim';

const TIMES_BEFORE = 10;
const ALWAYS_ALLOWED_MS = 250;
const ANSWERED_WITHIN_MS = 5_000;
/** On a machine that does other work as well, where the victim's program itself may be seconds late. */
const BUSY_ANSWERED_WITHIN_MS = 8_000;
const ERRORS_SHOWN = 3;

export interface Felt {
  p50: number;
  p99: number;
  slowest: number;
  count: number;
}

export interface Noticed {
  before: readonly Observation[];
  during: readonly Observation[];
  /** Services that ended. */
  died: readonly string[];
  /** How long after the attack the victim was served as before; undefined when it never was. */
  calmAfterMs: number | undefined;
}

export const of = (observations: readonly Observation[], kind: Kind): Observation[] =>
  observations.filter((observation) => observation.kind === kind);

/** Undefined where there is nothing of the kind. */
export function feltOf(observations: readonly Observation[], kind: Kind): Felt | undefined {
  const times = of(observations, kind).map(({ ms }) => ms);
  if (times.length === 0) return undefined;
  const [p50, p99, slowest] = [50, 99, 100].map((rank) => percentile(times, rank)) as [number, number, number];
  return { p50, p99, slowest, count: times.length };
}

/** What 99 of 100 may take at the most during an attack. */
export const allowedMs = (before: Felt): number => Math.max(TIMES_BEFORE * before.p50, ALWAYS_ALLOWED_MS);

/** Empty when the goal is met. On a busy machine the p99 is not judged, since it measures what else the machine does. */
export function findings({ before, during, died, calmAfterMs }: Noticed, isBusy = false): string[] {
  const late = KINDS.flatMap((kind) => lateness(kind, feltOf(before, kind), feltOf(during, kind), isBusy));
  return [
    ...errorsIn(during),
    ...late,
    ...died.map((service) => `${service} ended`),
    ...(calmAfterMs === undefined ? ['the victim was not served as before when the attack was over'] : []),
  ];
}

function errorsIn(observations: readonly Observation[]): string[] {
  const errors = observations.flatMap(({ error }) => error ?? []);
  const different = [...new Set(errors)];
  if (errors.length === 0) return [];
  const more = different.length > ERRORS_SHOWN ? ', …' : '';
  return [`${errors.length} errors: ${different.slice(0, ERRORS_SHOWN).join(', ')}${more}`];
}

function lateness(kind: Kind, before: Felt | undefined, during: Felt | undefined, isBusy: boolean): string[] {
  if (before === undefined) return [`no ${kind} was measured before`];
  // Without an acknowledged deposit there is nothing to deliver: then the writes are late.
  if (during === undefined) return kind === 'delivery' ? [] : [`no ${kind} ended`];
  const allowed = isBusy ? Infinity : allowedMs(before);
  const answeredWithinMs = isBusy ? BUSY_ANSWERED_WITHIN_MS : ANSWERED_WITHIN_MS;
  return [
    ...(during.p99 > allowed ? [`${kind} p99 ${shown(during.p99)} ms, allowed ${shown(allowed)}`] : []),
    ...(kind !== 'delivery' && during.slowest > answeredWithinMs ? [`a ${kind} took ${shown(during.slowest)} ms`] : []),
  ];
}

const shown = (ms: number): string => String(Math.round(ms));
