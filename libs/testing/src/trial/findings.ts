/** What every trial under traffic reports alike: its figures, and which promises did not hold. */
import type { UnaskedEnd } from './kept-services';
import type { Verdict } from './oracle/oracle';
import type { ProjectionWatch } from './oracle/projection-watch';
import { Felt, RECOVERY_GOAL_MS, recoveryMs, toldCapabilities } from './recoveries';
import type { Operation } from './traffic/operation';
import type { RequestLog } from './traffic/request-log';

const NAMED_MAX = 20;

/** What a run under traffic has found. */
export interface TrafficFacts {
  /** Under load, faults included. */
  seconds: number;
  requests: RequestLog;
  operations: readonly Operation[];
  contradictions: readonly string[];
  felt: readonly Felt[];
  unaskedEnds: readonly UnaskedEnd[];
  verdict: Verdict;
  projections: ProjectionWatch;
}

/** By their kinds, each found one described. */
export type Violations = Readonly<Record<string, readonly string[]>>;

export function trafficFigures({ seconds, requests, operations, verdict, projections }: TrafficFacts) {
  const count = (outcome: Operation['outcome']) =>
    operations.filter((operation) => operation.outcome === outcome).length;
  return {
    seconds: Math.round(seconds),
    requests: requests.total,
    requests_per_second: Math.round((requests.total / seconds) * 10) / 10,
    ...{ answered: requests.answered, unavailable: requests.unavailable, broken: requests.broken },
    ...{ sent_to_a_stopped_gateway: requests.excused, slowest_ms: Math.round(requests.slowestMs) },
    own_delay_ms: Math.round(requests.ownDelayMs),
    operations: operations.length,
    ...{ acknowledged: count('acknowledged'), refused: count('refused'), unknown: count('open') },
    asked_again: operations.filter(({ attempts }) => attempts > 1).length,
    ...{ events: verdict.events, looks_at_balances: projections.looks },
  };
}

/** Of everything but times. */
export function trafficViolations({
  felt,
  requests,
  verdict,
  contradictions,
  unaskedEnds,
  projections,
}: TrafficFacts): Violations {
  const { lost, doubled, wrong, stuck, leftOver, log, balances, rail, toldInEvents, underWay, audit } = verdict;
  return {
    ...{ lost, doubled, wrong, stuck, left_over: leftOver, log, balances, shown_meanwhile: projections.findings },
    ...{ rail, told_in_events: toldInEvents, under_way: underWay, audit },
    never_recovered: felt.filter((one) => recoveryMs(one) === undefined).flatMap(slowRecovery),
    contradictions: [...contradictions],
    unanswered: requests.unanswered,
    unexpected_answers: [...requests.unexpected].map(([what, times]) => `${times} × ${what}`),
    ended_by_themselves: unaskedEnds
      .filter(({ afterReady }) => afterReady)
      .map(({ service, reason }) => `${service}: ${reason}`),
  };
}

/** What took longer than is promised. */
export const lateViolations = ({ requests, felt }: TrafficFacts) => ({
  over_the_deadline: requests.overTheDeadline(),
  slow_recoveries: felt.flatMap(slowRecovery),
});

function slowRecovery(felt: Felt): string[] {
  const took = recoveryMs(felt);
  if (took !== undefined && took <= RECOVERY_GOAL_MS) return [];
  const how = took === undefined ? 'never' : `${took} ms`;
  return [`${felt.kind} at ${new Date(felt.beganAt).toISOString()}: ${how}, ${toldCapabilities(felt)}`];
}

/** The fields of a report that name them. */
export function countedViolations(violations: Violations) {
  const all = Object.entries(violations);
  return {
    ok: all.every(([, found]) => found.length === 0),
    violations: Object.fromEntries(all.map(([kind, found]) => [kind, found.length])),
    named: Object.fromEntries(
      all.flatMap(([kind, found]) => (found.length > 0 ? [[kind, found.slice(0, NAMED_MAX)]] : [])),
    ),
  };
}

export const trafficLines = (figures: ReturnType<typeof trafficFigures>): string[] => [
  `  ${figures.requests} requests: ${figures.answered} answered, ${figures.unavailable} × 503, ${figures.broken} broken off; ` +
    `the slowest took ${figures.slowest_ms} ms, this process itself was ${figures.own_delay_ms} ms late at its latest`,
  `  ${figures.operations} operations: ${figures.acknowledged} acknowledged, ${figures.refused} refused, ` +
    `${figures.unknown} unknown; ${figures.asked_again} had to be asked for again; ${figures.events} events, ` +
    `${figures.looks_at_balances} looks at all balances meanwhile`,
];

export const lateLine = (
  { over_the_deadline, slow_recoveries }: { over_the_deadline: number; slow_recoveries: number },
  judged: boolean,
): string =>
  `  ${over_the_deadline} requests over the deadline, ${slow_recoveries} recoveries slower than promised` +
  (judged ? '' : ': told, not judged');

export const violationLines = ({ violations, named }: ReturnType<typeof countedViolations>): string[] => [
  `  ${Object.entries(violations)
    .map(([kind, count]) => `${count} ${kind.replaceAll('_', ' ')}`)
    .join(', ')}`,
  ...Object.entries(named).flatMap(([kind, found]) => [
    `  !! ${kind.replaceAll('_', ' ')}`,
    ...found.map((one) => `     ${one}`),
  ]),
];
