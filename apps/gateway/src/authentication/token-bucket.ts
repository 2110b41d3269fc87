/** Requests per second in the long run, and how many at once after a pause. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

export interface Bucket {
  tokens: number;
  /** Milliseconds, of the same clock as `now`. */
  filledAt: number;
}

export interface Taken {
  allowed: boolean;
  bucket: Bucket;
  /** Whole requests that are left at this moment. */
  remaining: number;
  /** Milliseconds until the next request is allowed; 0 when one is. */
  waitMs: number;
}

/** A token bucket: it fills at `perSecond` up to `burst`; each request takes one token. Pure: the clock comes in. */
export function takeToken(limit: RateLimit, before: Bucket | undefined, now: number): Taken {
  const elapsedMs = before ? Math.max(0, now - before.filledAt) : 0;
  const filled = before ? Math.min(limit.burst, before.tokens + (elapsedMs * limit.perSecond) / 1_000) : limit.burst;
  const allowed = filled >= 1;
  const tokens = allowed ? filled - 1 : filled;
  const waitMs = tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 1_000) / limit.perSecond);
  return { allowed, bucket: { tokens, filledAt: now }, remaining: Math.floor(tokens), waitMs };
}
