/** Tokens per second in the long run, and how many at once after a pause. */
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
  /** Whole tokens that are left at this moment. */
  remaining: number;
  /** Milliseconds until a request of this cost, or after an allowed one until the next of cost 1, is allowed; 0 when it is. */
  waitMs: number;
}

/**
 * A token bucket: it fills at `perSecond` up to `burst`; a request takes as many tokens as it costs, one that costs more
 * than the burst the whole bucket. Pure: the clock comes in.
 */
export function takeTokens(limit: RateLimit, before: Bucket | undefined, cost: number, now: number): Taken {
  const elapsedMs = before ? Math.max(0, now - before.filledAt) : 0;
  const filled = before ? Math.min(limit.burst, before.tokens + (elapsedMs * limit.perSecond) / 1_000) : limit.burst;
  const price = Math.min(cost, limit.burst);
  const allowed = filled >= price;
  const tokens = allowed ? filled - price : filled;
  const missing = (allowed ? 1 : price) - tokens;
  const waitMs = missing <= 0 ? 0 : Math.ceil((missing * 1_000) / limit.perSecond);
  return { allowed, bucket: { tokens, filledAt: now }, remaining: Math.max(0, Math.floor(tokens)), waitMs };
}

/**
 * Takes what is known only afterwards, such as what an answer cost: allowed or not, so that the bucket may owe some, which the next
 * requests wait for; at most a full one.
 */
export function owe(limit: RateLimit, before: Bucket | undefined, cost: number, now: number): Bucket {
  const { bucket } = takeTokens(limit, before, 0, now);
  return { tokens: Math.max(-limit.burst, bucket.tokens - cost), filledAt: now };
}
