import type { AuditRun } from './runs';

/** The parts of the auditor's verify, in their order. */
const PHASES: Readonly<Record<string, string>> = {
  starting: 'Starting',
  preparing: 'Preparing',
  witnesses: 'Asking witnesses',
  log: 'Following the log',
  checkpoints: 'Comparing checkpoints and stored results',
  schema: 'Comparing sums and the schema',
  indexes: 'Reading indexes',
  tables: 'Comparing tables with the log',
  liabilities: 'Making statements of what is owed anew',
};
const ORDER = Object.keys(PHASES);

export const phaseWords = (phase: string): string => PHASES[phase] ?? phase;

/** Only of the log it is known how much there is. */
export const isCounted = ({ phase, total }: NonNullable<AuditRun['progress']>): boolean => phase === 'log' && total > 0;

/** As "part 3 of 9"; undefined for one that this page does not know. */
export function partOf(phase: string): string | undefined {
  const index = ORDER.indexOf(phase);
  return index < 0 ? undefined : `part ${index + 1} of ${ORDER.length}`;
}

/** Shorter than that a pace is chance. */
const PACE_SECONDS_MIN = 5;

/**
 * Of the events of the log: how many a second, and how long the rest takes at that. Counted from what this page saw first of that part:
 * when the part began is not known, and the ones before it read no event.
 */
export function paceOf(
  { done, total }: NonNullable<AuditRun['progress']>,
  seconds: number | null,
  since: { done: number; seconds: number | null },
): string {
  const counted = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} events`;
  const looked = (seconds ?? 0) - (since.seconds ?? 0);
  const rate = looked < PACE_SECONDS_MIN ? 0 : Math.round((done - since.done) / looked);
  if (rate <= 0) return counted;
  return `${counted}, ${rate.toLocaleString('en')} a second, ${durationOf(Math.max(total - done, 0) / rate)} left`;
}

export function durationOf(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
