/** What the rounds amount to, and whether that meets the goals. */
import { median } from '@stablecoin/benchmarking/measure';
import { rounded } from '@stablecoin/benchmarking/report';
import type { ProcessorUse } from './measuring/processor-use';
import { total } from './measuring/processor-use';
import { type OperationKind, QUOTE_ALONE_MS } from './operation-kinds';

/** One way in one round. */
export interface Load {
  /** Per operation, by process and database. */
  use: ProcessorUse;
  perSecond: number;
}

/** The three ways in one round, seconds apart. */
export interface Round {
  service: Load;
  floor: Load;
  plain: Load;
}

/** Of the service with nothing else to do. */
export interface Alone {
  p50Ms: number;
  /** Of the request before it, where there is one: a swap's quote. */
  firstP50Ms?: number;
}

/** The figures of one operation, as `--json` has them; null where a column doesn't apply. */
export interface OperationFigures {
  cpu_ms: number;
  floor_cpu_ms: number;
  plain_cpu_ms: number;
  cpu_to_floor: number;
  per_second: number;
  floor_per_second: number;
  plain_per_second: number;
  per_second_to_plain: number;
  p50_ms_alone: number | null;
  quote_p50_ms_alone: number | null;
  errors_at_256: number | null;
  by_process: Record<string, number>;
  floor_by_process: Record<string, number>;
}

/** Medians over the rounds; a ratio is taken within each round, between things that ran seconds apart. */
export function figuresOf(rounds: readonly Round[], alone: Alone | null, errors: number | null): OperationFigures {
  const over = (value: (round: Round) => number) => median(rounds.map(value));
  const cpu = (way: keyof Round) => (round: Round) => total(round[way].use);
  const rate = (way: keyof Round) => (round: Round) => round[way].perSecond;
  return {
    cpu_ms: over(cpu('service')),
    floor_cpu_ms: over(cpu('floor')),
    plain_cpu_ms: over(cpu('plain')),
    cpu_to_floor: over((round) => cpu('service')(round) / cpu('floor')(round)),
    per_second: over(rate('service')),
    floor_per_second: over(rate('floor')),
    plain_per_second: over(rate('plain')),
    per_second_to_plain: over((round) => rate('service')(round) / rate('plain')(round)),
    p50_ms_alone: alone?.p50Ms ?? null,
    quote_p50_ms_alone: alone?.firstP50Ms ?? null,
    errors_at_256: errors,
    by_process: partsOf(rounds.map(({ service }) => service.use)),
    floor_by_process: partsOf(rounds.map(({ floor }) => floor.use)),
  };
}

/** The median of each part; a process that a round lacks used nothing in it. */
function partsOf(uses: readonly ProcessorUse[]): Record<string, number> {
  const names = [...new Set(uses.flatMap((use) => Object.keys(use)))];
  return Object.fromEntries(names.map((name) => [name, median(uses.map((use) => use[name] ?? 0))]));
}

export interface Judgement {
  figure: string;
  value: number;
  goal: string;
  isMet: boolean;
}

export function judgementsOf({ goals }: OperationKind, figures: OperationFigures): Judgement[] {
  const { p50_ms_alone: alone, quote_p50_ms_alone: quote, errors_at_256: errors } = figures;
  return [
    atMost('processor time : floor', figures.cpu_to_floor, goals.cpuToFloor),
    atLeast('per second : plain way', figures.per_second_to_plain, goals.perSecondToPlain),
    ...(goals.aloneMs !== undefined && alone !== null ? [atMost('alone, p50 in ms', alone, goals.aloneMs)] : []),
    ...(quote !== null ? [atMost('its quote alone, p50 in ms', quote, QUOTE_ALONE_MS)] : []),
    ...(errors !== null ? [atMost('5xx with 256 callers', errors, 0)] : []),
  ];
}

const atMost = (figure: string, value: number, limit: number): Judgement => ({
  ...{ figure, value, goal: `at most ${limit}` },
  isMet: value <= limit,
});

const atLeast = (figure: string, value: number, limit: number): Judgement => ({
  ...{ figure, value, goal: `at least ${limit}` },
  isMet: value >= limit,
});

/** Three digits, like every figure that a benchmark prints, however deep it lies. */
export function withThreeDigits<Value>(value: Value): Value {
  if (typeof value === 'number') return rounded(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, withThreeDigits<unknown>(part)]);
  return Object.fromEntries(entries) as Value;
}
