/** What the runs found, for a person and for a program. */
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
import type { MeasuredMove, Moves, StruckMove } from './moves';
import type { PlacementWatch } from './placement';
import type { ShardsPlan } from './plan';

/** Merchants on other shards may be answered so many times more slowly during a move. */
const SLOWER_MAX = 2;
/** A shard may be reserved for so long. */
const RESERVED_MS_MAX = 2_000;

export interface RunFacts extends TrafficFacts {
  plan: ShardsPlan;
  databases: number;
  moves: Pick<Moves, 'measured' | 'struck' | 'findings'>;
  placement: Pick<PlacementWatch, 'looks' | 'findings'>;
}

export function reportOf(facts: RunFacts) {
  const { plan, moves, placement } = facts;
  const figures = moveFigures(moves.measured);
  const late = { ...lateViolations(facts), slow_moves: slowMoves(figures) };
  const struck = moves.struck.filter(({ in_time }) => in_time).length;
  const { ok, ...counted } = countedViolations({
    ...trafficViolations(facts),
    ...{ moves: moves.findings, on_two_databases: placement.findings },
    not_made: [
      ...(moves.measured.length < plan.moves ? [`${moves.measured.length} of ${plan.moves} moves`] : []),
      ...(moves.struck.length < plan.strikes ? [`${moves.struck.length} of ${plan.strikes} strikes`] : []),
    ],
    ...(plan.judgesTimes && late),
  });
  return {
    ok,
    ...{ databases: facts.databases, seed: plan.seed },
    ...trafficFigures(facts),
    looks_at_placement: placement.looks,
    ...{ over_the_deadline: late.over_the_deadline.length, slow_recoveries: late.slow_recoveries.length },
    times_judged: plan.judgesTimes,
    ...{ moves: moves.measured.length, struck: moves.struck.length, struck_in_time: struck },
    during_moves: figures,
    ...{ measured: moves.measured, struck_moves: moves.struck },
    ...counted,
  };
}

export type RunReport = ReturnType<typeof reportOf>;

type MoveFigures = ReturnType<typeof moveFigures>;

/** Medians over the moves that nothing struck; undefined without any. */
export function moveFigures(measured: readonly MeasuredMove[]) {
  if (measured.length === 0) return undefined;
  const middle = (of: (move: MeasuredMove) => number) => Math.round(median(measured.map(of)) * 10) / 10;
  const most = (of: (move: MeasuredMove) => number) => Math.max(...measured.map(of));
  const before = middle(({ others }) => others.before.p99_ms);
  const during = middle(({ others }) => others.during.p99_ms);
  return {
    ...{
      p50_before_ms: middle(({ others }) => others.before.p50_ms),
      p50_during_ms: middle(({ others }) => others.during.p50_ms),
    },
    ...{ p99_before_ms: before, p99_during_ms: during, p99_ratio: Math.round((during / before) * 100) / 100 },
    ...{
      reserved_median_ms: middle(({ reserved_ms }) => reserved_ms),
      reserved_max_ms: most(({ reserved_ms }) => reserved_ms),
    },
    moved_shard_gap_median_ms: middle(({ moved_shard }) => moved_shard.longest_gap_ms),
    moved_shard_gap_max_ms: most(({ moved_shard }) => moved_shard.longest_gap_ms),
    moved_shard_slowest_median_ms: middle(({ moved_shard }) => moved_shard.slowest_ms),
    moved_shard_slowest_max_ms: most(({ moved_shard }) => moved_shard.slowest_ms),
    moved_shard_unavailable: measured.reduce((sum, { moved_shard }) => sum + moved_shard.unavailable, 0),
    others_unavailable: measured.reduce((sum, { others }) => sum + others.during.unavailable, 0),
    ...{ move_median_ms: middle(({ ms }) => ms), events_max: most(({ events }) => events) },
  };
}

export function slowMoves(figures: MoveFigures): string[] {
  if (figures === undefined) return [];
  const { p99_before_ms: before, p99_during_ms: during, p99_ratio: ratio, reserved_max_ms: reserved } = figures;
  return [
    ...(ratio > SLOWER_MAX
      ? [`p99 on other shards was ${before} ms before moves and ${during} ms during them: × ${ratio}`]
      : []),
    ...(reserved > RESERVED_MS_MAX ? [`a shard was reserved for ${reserved} ms`] : []),
  ];
}

export function printed(report: RunReport): string {
  return [
    '',
    `  ${report.databases} databases, seed ${report.seed}: ${report.moves} moves, ${report.struck} more that were struck, ` +
      `${report.struck_in_time} of them while the mover worked, in ${report.seconds} s`,
    ...movesLines(report.during_moves),
    '',
    ...report.struck_moves.map(struckLine),
    '',
    ...trafficLines(report),
    `  ${report.looks_at_placement} looks at where all shards are`,
    lateLine(report, report.times_judged),
    ...violationLines(report),
    '',
    report.ok
      ? `  All promises held. Seed ${report.seed}.`
      : `  NOT all promises held: see the lines marked with !!. Again with --seed ${report.seed} --databases ${report.databases}`,
    '',
  ].join('\n');
}

function movesLines(figures: MoveFigures): string[] {
  if (figures === undefined) return [];
  return [
    `  merchants on other shards, medians over the moves: p50 ${figures.p50_before_ms} ms before, ${figures.p50_during_ms} ms during; ` +
      `p99 ${figures.p99_before_ms} ms before, ${figures.p99_during_ms} ms during, × ${figures.p99_ratio}; ` +
      `${figures.others_unavailable} × 503`,
    `  the shard that moved: reserved for ${figures.reserved_median_ms} ms in the middle, ${figures.reserved_max_ms} ms at most; ` +
      `no command succeeded for ${figures.moved_shard_gap_median_ms} ms, ${figures.moved_shard_gap_max_ms} ms at most; ` +
      `its merchant waited ${figures.moved_shard_slowest_median_ms} ms, ${figures.moved_shard_slowest_max_ms} ms at most; ` +
      `${figures.moved_shard_unavailable} × 503`,
    `  a move took ${figures.move_median_ms} ms in the middle, of up to ${figures.events_max} events`,
  ];
}

function struckLine({ strike, in_time, first_end, attempts, from, ended_on, recovery_ms }: StruckMove): string {
  const recovered = recovery_ms === null ? 'NOT recovered' : `${(recovery_ms / 1_000).toFixed(1)} s`;
  const how = ended_on === from ? 'undone' : 'moved';
  const end = `${how} after ${attempts} more, recovered in ${recovered}; ${first_end}`;
  return `  ${strike.padEnd(60)} ${in_time ? '' : 'too late; '}${end}`;
}
