/** What a run found, for a person and for a program. */
import { median } from '@stablecoin/benchmarking/measure';
import {
  countedViolations,
  lateLine,
  lateViolations,
  type TrafficFacts,
  trafficFigures,
  trafficLines,
  trafficViolations,
  violationLines,
} from '@stablecoin/testing/trial/findings';
import { Felt, recoveryMs } from '@stablecoin/testing/trial/recoveries';

export interface RunFacts extends TrafficFacts {
  seed: number;
  natsVersion: string;
  asked: { kills: number; cuts: number; judgesTimes: boolean };
  made: { kills: number; cuts: number };
  notPossible: ReadonlyMap<string, string>;
}

interface FaultLine {
  fault: string;
  count: number;
  recovery_median_ms: number | null;
  recovery_max_ms: number | null;
  not_recovered: number;
}

export function reportOf(facts: RunFacts) {
  const { asked, made } = facts;
  const late = lateViolations(facts);
  const { ok, ...counted } = countedViolations({
    ...trafficViolations(facts),
    not_injected: [
      ...(made.kills < asked.kills ? [`${made.kills} of ${asked.kills} kills`] : []),
      ...(made.cuts < asked.cuts ? [`${made.cuts} of ${asked.cuts} cuts`] : []),
    ],
    ...(asked.judgesTimes && late),
  });
  return {
    ok,
    seed: facts.seed,
    nats_server: facts.natsVersion,
    ...{ kills: made.kills, cuts: made.cuts },
    ...trafficFigures(facts),
    ...{ over_the_deadline: late.over_the_deadline.length, slow_recoveries: late.slow_recoveries.length },
    times_judged: asked.judgesTimes,
    faults: faultLines(facts.felt),
    not_possible: Object.fromEntries(facts.notPossible),
    ...counted,
  };
}

export type Report = ReturnType<typeof reportOf>;

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
  return [
    '',
    `  ${'fault'.padEnd(50)} count   median     max   until every kind of operation worked again on every shard`,
    ...faults,
    ...Object.entries(report.not_possible).map(([fault, why]) => `  ${fault}: not possible on this machine: ${why}`),
    '',
    `  ${report.kills} kills and ${report.cuts} cuts in ${report.seconds} s, ${report.requests_per_second} requests/s; ` +
      `nats-server ${report.nats_server}`,
    ...trafficLines(report),
    lateLine(report, report.times_judged),
    ...violationLines(report),
    '',
    report.ok
      ? `  All promises held. Seed ${report.seed}.`
      : `  NOT all promises held: see the lines marked with !!. Again with --seed ${report.seed}`,
    '',
  ].join('\n');
}

const seconds = (ms: number | null) => (ms === null ? '      –' : `${(ms / 1_000).toFixed(1).padStart(5)} s`);
