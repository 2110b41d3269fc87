/**
 * An open loop: each request is sent when it is due, whatever became of those before it, and timed from then. Where its
 * time went is told apart, since not all of it is the service's: until it was given a connection (the generator was late,
 * or had none left), until that was open (the kernel's part, and the service's that takes connections), until the answer.
 */
import { performance } from 'node:perf_hooks';
import { paced, percentile } from '@stablecoin/benchmarking/measure';
import { Figures, progress } from '@stablecoin/benchmarking/report';
import type { RequestKind, Sent } from './request-kinds';

const SLOWEST_TOLD = 5;
const OVER_SHARE = 429;
const TURNED_AWAY = [OVER_SHARE, 503];

export interface Outcome {
  kind: 'accepted' | 'refused' | 'unknown' | 'failed';
  /** From the beginning of the loop until it was due. */
  dueMs: number;
  /** From when it was due; of what was refused in its last step, from when that was sent. */
  ms: number;
  /** The parts of that; undefined where there was no answer. */
  parts?: { waitingMs: number; connectingMs: number; answeringMs: number; isNew: boolean };
  id?: string;
}

/** Sends at a steady pace and waits for the answers that are still to come. */
export async function openLoop(
  send: () => Promise<Sent>,
  { kept }: RequestKind,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const startedAt = performance.now();
  const sent = (due: number) =>
    send().then(
      (answered) => void outcomes.push(outcomeOf(answered, kept?.idIn, startedAt, due)),
      () => void outcomes.push({ kind: 'failed', dueMs: due - startedAt, ms: performance.now() - due }),
    );
  await paced(sent, perSecond, seconds);
  return outcomes;
}

function outcomeOf(
  { answer, sentAt }: Sent,
  idIn: ((data: Record<string, unknown>) => unknown) | undefined,
  startedAt: number,
  due: number,
): Outcome {
  const now = performance.now();
  const { status, connection } = answer;
  const { givenAt, openAt, isNew } = connection;
  const begunAt = sentAt ?? due;
  const parts = { waitingMs: givenAt - begunAt, connectingMs: openAt - givenAt, answeringMs: now - openAt, isNew };
  const dueMs = due - startedAt;
  if (status < 300) {
    const id = idIn?.(answer.body.data as Record<string, unknown>);
    return { kind: 'accepted', dueMs, ms: now - due, parts, ...(typeof id === 'string' && { id }) };
  }
  const timed = { dueMs, ms: now - begunAt, parts };
  if (!TURNED_AWAY.includes(status) || answer.header('retry-after') === undefined) return { kind: 'failed', ...timed };
  // Over its share a merchant is told 429, before anything is begun.
  return { kind: status === OVER_SHARE || answer.header('x-outcome') === 'none' ? 'refused' : 'unknown', ...timed };
}

/** The times of each kind, from when it was due, and where they went. */
export function timesOf(outcomes: readonly Outcome[]): Figures {
  const parts = outcomes.flatMap(({ parts: told }) => told ?? []);
  const opened = parts.filter(({ isNew }) => isNew);
  return {
    ...spread('accepted', of(outcomes, 'accepted')),
    ...spread('refused', of(outcomes, 'refused')),
    ...spread(
      'waiting_in_generator',
      parts.map(({ waitingMs }) => waitingMs),
    ),
    connections_opened: opened.length,
    ...spread(
      'connecting',
      opened.map(({ connectingMs }) => connectingMs),
    ),
    ...spread('answering_accepted', answeringOf(outcomes, 'accepted')),
    ...spread('answering_refused', answeringOf(outcomes, 'refused')),
  };
}

export const of = (outcomes: readonly Outcome[], kind: Outcome['kind']): number[] =>
  outcomes.filter((outcome) => outcome.kind === kind).map(({ ms }) => ms);

const answeringOf = (outcomes: readonly Outcome[], kind: Outcome['kind']): number[] =>
  outcomes.filter((outcome) => outcome.kind === kind).flatMap(({ parts }) => parts?.answeringMs ?? []);

export function spread(name: string, values: readonly number[]): Figures {
  if (values.length === 0) return {};
  return {
    [`${name}_p50_ms`]: percentile(values, 50),
    [`${name}_p99_ms`]: percentile(values, 99),
    [`${name}_max_ms`]: percentile(values, 100),
  };
}

/** The slowest, each with when it was due and its parts: they come from one moment, or from all over. */
export function tellSlowest(outcomes: readonly Outcome[]): void {
  const slowest = [...outcomes].sort((one, other) => other.ms - one.ms).slice(0, SLOWEST_TOLD);
  for (const { kind, dueMs, ms, parts } of slowest) {
    const told = parts
      ? `${Math.round(parts.waitingMs)} waiting in the generator, ${Math.round(parts.connectingMs)} connecting, ` +
        `${Math.round(parts.answeringMs)} until the answer`
      : 'no answer';
    progress(`${kind} after ${Math.round(ms)} ms, due at ${(dueMs / 1_000).toFixed(1)} s: ${told}`);
  }
}
