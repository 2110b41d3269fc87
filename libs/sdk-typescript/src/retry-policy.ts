/** How one attempt ended. */
export type Outcome =
  /** A whole answer, of whatever status; `code` where it is a refusal of the service. */
  | { kind: 'answered'; status: number; code?: string; retryAfterMs?: number; notExecuted: boolean }
  /** No whole answer; `sent` is false where not even a connection came about. */
  | { kind: 'broken'; sent: boolean }
  | { kind: 'timed-out' }
  | { kind: 'aborted' };

const BACKOFF_BASE_MS = 250;
const BACKOFF_MAX_MS = 8_000;
/** The service's own `rate_limited` and `unavailable`, and a proxy's word that it did not reach the service. */
const STATUSES_SENT_AGAIN = new Set([429, 502, 503, 504]);
/** `internal_error`: its outcome is unknown, and the key makes the same request safe. */
const CODES_SENT_AGAIN = new Set(['idempotency_in_flight', 'internal_error']);
/** Refused before the service looked whether the key had taken effect: they say nothing about an earlier attempt. */
const STATUSES_BEFORE_THE_KEY = new Set([401, 403, 413, 414, 415, 429, 431]);

/** Whether the same request may end otherwise the next time. All other answers are final. */
export function mayBeSentAgain(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'answered':
      return STATUSES_SENT_AGAIN.has(outcome.status) || CODES_SENT_AGAIN.has(outcome.code ?? '');
    case 'broken':
    case 'timed-out':
      return true;
    case 'aborted':
      return false;
  }
}

/**
 * How long to wait after the attempt of this number, from 1: as long as the service asked, and on top of it a random part of a
 * bound that doubles (full jitter), so that callers who failed together do not come back together.
 */
export function waitMsAfter(outcome: Outcome, attempt: number, random: () => number): number {
  const asked = outcome.kind === 'answered' ? (outcome.retryAfterMs ?? 0) : 0;
  return asked + random() * Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** (attempt - 1));
}

/**
 * Whether a write may have taken effect, given that it may have before this attempt. Success isn't asked about. A refusal by a
 * rule of the business settles it: the service would have given the stored answer if an earlier attempt had taken effect.
 */
export function outcomeUnknownAfter(outcome: Outcome, before: boolean): boolean {
  switch (outcome.kind) {
    case 'answered':
      if (outcome.notExecuted || STATUSES_BEFORE_THE_KEY.has(outcome.status)) return before;
      return outcome.status >= 500 || outcome.status < 400 || outcome.code === undefined || isInFlight(outcome.code);
    case 'broken':
      return outcome.sent || before;
    case 'timed-out':
    case 'aborted':
      return true;
  }
}

const isInFlight = (code: string): boolean => code === 'idempotency_in_flight';

/** `Retry-After` in milliseconds, given as seconds or as a date; undefined for neither. */
export function retryAfterMsOf(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
