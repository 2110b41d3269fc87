/** What a run found, for a person and for a program. */
import { median } from '@stablecoin/benchmarking/measure';
import { Verdict } from '@stablecoin/testing/trial/oracle/oracle';
import { ProjectionWatch } from '@stablecoin/testing/trial/oracle/projection-watch';
import type { UnaskedEnd } from '@stablecoin/testing/trial/kept-services';
import { RequestLog } from '@stablecoin/testing/trial/traffic/request-log';
import { Operation } from '@stablecoin/testing/trial/traffic/operation';
import { Felt, RECOVERY_GOAL_MS, recoveryMs, toldCapabilities } from '@stablecoin/testing/trial/recoveries';

export interface RunFacts {
  seed: number;
  natsVersion: string;
  asked: { kills: number; cuts: number; judgesTimes: boolean };
  made: { kills: number; cuts: number };
  /** Under load, faults included. */
  seconds: number;
  requests: RequestLog;
  operations: readonly Operation[];
  contradictions: readonly string[];
  felt: readonly Felt[];
  notPossible: ReadonlyMap<string, string>;
  unaskedEnds: readonly UnaskedEnd[];
  verdict: Verdict;
  projections: ProjectionWatch;
}

interface FaultLine {
  fault: string;
  count: number;
  recovery_median_ms: number | null;
  recovery_max_ms: number | null;
  not_recovered: number;
}

const NAMED_MAX = 20;

export function reportOf(facts: RunFacts) {
  const { requests, operations, verdict } = facts;
  const count = (outcome: Operation['outcome']) =>
    operations.filter((operation) => operation.outcome === outcome).length;
  const late = { over_the_deadline: requests.overTheDeadline(), slow_recoveries: facts.felt.flatMap(slowRecovery) };
  const violations = { ...violationsOf(facts), ...(facts.asked.judgesTimes && late) };
  return {
    ok: Object.values(violations).every((found) => found.length === 0),
    seed: facts.seed,
    nats_server: facts.natsVersion,
    ...{ kills: facts.made.kills, cuts: facts.made.cuts, seconds: Math.round(facts.seconds) },
    requests: requests.total,
    requests_per_second: Math.round((requests.total / facts.seconds) * 10) / 10,
    ...{ answered: requests.answered, unavailable: requests.unavailable, broken: requests.broken },
    ...{ sent_to_a_stopped_gateway: requests.excused, slowest_ms: Math.round(requests.slowestMs) },
    own_delay_ms: Math.round(requests.ownDelayMs),
    ...{ over_the_deadline: late.over_the_deadline.length, slow_recoveries: late.slow_recoveries.length },
    times_judged: facts.asked.judgesTimes,
    operations: operations.length,
    ...{ acknowledged: count('acknowledged'), refused: count('refused'), unknown: count('open') },
    asked_again: operations.filter(({ attempts }) => attempts > 1).length,
    ...{ events: verdict.events, looks_at_balances: facts.projections.looks },
    faults: faultLines(facts.felt),
    not_possible: Object.fromEntries(facts.notPossible),
    violations: Object.fromEntries(Object.entries(violations).map(([kind, found]) => [kind, found.length])),
    named: Object.fromEntries(
      Object.entries(violations).flatMap(([kind, found]) => (found.length ? [[kind, found.slice(0, NAMED_MAX)]] : [])),
    ),
  };
}

export type Report = ReturnType<typeof reportOf>;

function violationsOf({ felt, requests, verdict, contradictions, unaskedEnds, asked, made, projections }: RunFacts) {
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
    not_injected: [
      ...(made.kills < asked.kills ? [`${made.kills} of ${asked.kills} kills`] : []),
      ...(made.cuts < asked.cuts ? [`${made.cuts} of ${asked.cuts} cuts`] : []),
    ],
  };
}

function slowRecovery(felt: Felt): string[] {
  const took = recoveryMs(felt);
  if (took !== undefined && took <= RECOVERY_GOAL_MS) return [];
  const how = took === undefined ? 'never' : `${took} ms`;
  return [`${felt.kind} at ${new Date(felt.beganAt).toISOString()}: ${how}, ${toldCapabilities(felt)}`];
}

function faultLines(felt: readonly Felt[]): FaultLine[] {
  const byKind = new Map<string, Felt[]>();
  for (const one of felt) byKind.set(one.kind, [...(byKind.get(one.kind) ?? []), one]);
  return [...byKind].map(([fault, all]) => {
    const took = all.map(recoveryMs).filter((ms) => ms !== undefined);
    return {
      fault,
      count: all.length,
      recovery_median_ms: took.length > 0 ? Math.round(median(took)) : null,
      recovery_max_ms: took.length > 0 ? Math.max(...took) : null,
      not_recovered: all.length - took.length,
    };
  });
}

export function printed(report: Report): string {
  const faults = report.faults.map(
    ({ fault, count, recovery_median_ms: middle, recovery_max_ms: most, not_recovered }) => {
      const never = not_recovered > 0 ? `, ${not_recovered} not recovered` : '';
      return `  ${fault.padEnd(50)} ${String(count).padStart(5)}   ${seconds(middle)} ${seconds(most)}${never}`;
    },
  );
  const broken = Object.entries(report.violations).filter(([, count]) => count > 0);
  return [
    '',
    `  ${'fault'.padEnd(50)} count   median     max   until every kind of operation worked again on every shard`,
    ...faults,
    ...Object.entries(report.not_possible).map(([fault, why]) => `  ${fault}: not possible on this machine: ${why}`),
    '',
    `  ${report.kills} kills and ${report.cuts} cuts in ${report.seconds} s, ${report.requests_per_second} requests/s; ` +
      `nats-server ${report.nats_server}`,
    `  ${report.requests} requests: ${report.answered} answered, ${report.unavailable} × 503, ${report.broken} broken off; ` +
      `the slowest took ${report.slowest_ms} ms, this process itself was ${report.own_delay_ms} ms late at its latest`,
    `  ${report.operations} operations: ${report.acknowledged} acknowledged, ${report.refused} refused, ` +
      `${report.unknown} unknown; ${report.asked_again} had to be asked for again; ${report.events} events, ` +
      `${report.looks_at_balances} looks at all balances meanwhile`,
    `  ${report.over_the_deadline} requests over the deadline, ${report.slow_recoveries} recoveries slower than promised` +
      (report.times_judged ? '' : ': told, not judged'),
    `  ${Object.entries(report.violations)
      .map(([kind, count]) => `${count} ${kind.replaceAll('_', ' ')}`)
      .join(', ')}`,
    ...Object.entries(report.named).flatMap(([kind, found]) => [
      `  !! ${kind.replaceAll('_', ' ')}`,
      ...found.map((one) => `     ${one}`),
    ]),
    '',
    broken.length === 0
      ? `  All promises held. Seed ${report.seed}.`
      : `  NOT all promises held: see the lines marked with !!. Again with --seed ${report.seed}`,
    '',
  ].join('\n');
}

const seconds = (ms: number | null) => (ms === null ? '      –' : `${(ms / 1_000).toFixed(1).padStart(5)} s`);
