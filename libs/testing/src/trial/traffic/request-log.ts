/** The outcome of every request: counts, the slowest, and those that took longer than is promised. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Asked, Attempt, NO_ANSWER } from './measured-client';

/** Every request ends within this … */
export const DEADLINE_MS = 5_000;
/** … and what the way to this process and back takes. On top comes how late this process itself was at its latest. */
const TRANSPORT_MARGIN_MS = 250;
const LATE_KEPT_MAX = 10_000;

/**
 * A time in which the process that would have to answer was stopped, so that it can't be late; in epoch milliseconds.
 */
interface Excuse {
  from: number;
  to: number;
}

export class RequestLog {
  total = 0;
  answered = 0;
  unavailable = 0;
  broken = 0;
  /** Beyond the deadline and the margin, lateness of this process included. */
  late = 0;
  /** Late as well, but sent to a gateway that was stopped just then. */
  excused = 0;
  slowestMs = 0;
  /** Answers that no fault explains, by what they were. */
  readonly unexpected = new Map<string, number>();
  /** Given up by their callers: no machine is so busy that this is only late. */
  readonly unanswered: string[] = [];
  private readonly excuses: Excuse[] = [];
  private readonly lateOnes: { ms: number; what: string }[] = [];
  private readonly ownDelay = monitorEventLoopDelay({ resolution: 10 });

  constructor() {
    this.ownDelay.enable();
  }

  /** How late this process was at its latest: the machine had no time for it, or not for what it measured. */
  get ownDelayMs(): number {
    return this.ownDelay.max / 1e6;
  }

  /** Those that were late by the service's own doing. */
  overTheDeadline(): string[] {
    const limitMs = DEADLINE_MS + TRANSPORT_MARGIN_MS + this.ownDelayMs;
    return this.lateOnes.filter(({ ms }) => ms > limitMs).map(({ what }) => what);
  }

  record(attempt: Attempt, asked: Asked): void {
    this.total += 1;
    if (attempt.status === undefined) this.broken += 1;
    else if (attempt.status === 503) this.unavailable += 1;
    else this.answered += 1;
    if (attempt.status !== undefined && isNeverAnswered(attempt.status)) this.note(attempt, asked);
    if (attempt.ms > DEADLINE_MS + TRANSPORT_MARGIN_MS) this.recordLate(attempt, asked);
    else this.slowestMs = Math.max(this.slowestMs, attempt.ms);
  }

  /** From now until the function that it gives is called. */
  excuse(): () => void {
    const excuse: Excuse = { from: Date.now(), to: Infinity };
    this.excuses.push(excuse);
    return () => (excuse.to = Date.now());
  }

  private recordLate(attempt: Attempt, asked: Asked): void {
    const endedAt = attempt.beganAt + attempt.ms;
    if (this.excuses.some(({ from, to }) => attempt.beganAt < to && endedAt > from)) {
      this.excused += 1;
      return;
    }
    this.late += 1;
    this.slowestMs = Math.max(this.slowestMs, attempt.ms);
    if (this.lateOnes.length === LATE_KEPT_MAX) return;
    const what = `${nameOf(asked)} at ${new Date(attempt.beganAt).toISOString()}: ${told(attempt)}`;
    this.lateOnes.push({ ms: attempt.ms, what });
    if (attempt.code === NO_ANSWER) this.unanswered.push(what);
  }

  private note(attempt: Attempt, asked: Asked): void {
    const what = `${asked.method} ${asked.path.replace(/[0-9a-f-]{36}|[A-Z0-9]{10}/g, '{id}')}: ${attempt.status} ${attempt.code}`;
    this.unexpected.set(what, (this.unexpected.get(what) ?? 0) + 1);
  }
}

/** Outages are 503; a merchant whose requests are valid never receives one of these. */
function isNeverAnswered(status: number): boolean {
  return (status >= 500 && status !== 503) || [400, 401, 403, 404, 405, 413, 415, 429].includes(status);
}

const nameOf = ({ method, path, idempotencyKey }: Asked) =>
  `${method} ${path}${idempotencyKey === undefined ? '' : ` key ${idempotencyKey}`}`;

const told = ({ ms, status, code }: Attempt) => `${Math.round(ms)} ms, ${status ?? 'no answer'} ${code ?? ''}`;
