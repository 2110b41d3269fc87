import { LRUCache } from 'lru-cache';
import { Bucket, RateLimit, Taken, takeTokens } from './token-bucket';

/** A bucket that is evicted was full again, or belongs to one of more addresses than can be told apart. */
const ADDRESSES_MAX = 20_000;
/** Look-ups of keys for addresses that guessed lately, all together: each costs as much as a read. */
const GUESSES: RateLimit = { perSecond: 100, burst: 100 };
/** For how long an address counts as one that guesses, after it sent a key that does not exist. */
const GUESSING_MS = 60_000;

/** The token buckets of addresses that send requests without a valid key, be it an API key or the cookie of a session. */
export class UnauthenticatedRateLimits {
  private readonly buckets = new LRUCache<string, Bucket>({ max: ADDRESSES_MAX });
  private readonly guessing = new LRUCache<string, true>({ max: ADDRESSES_MAX, ttl: GUESSING_MS });
  private guesses: Bucket | undefined;
  /** The RateLimit-Policy header (IETF draft). */
  readonly policy: string;

  /** @param limit of one address */
  constructor(private readonly limit: RateLimit) {
    this.policy = `"unauthenticated";q=${this.limit.burst};w=${Math.ceil(this.limit.burst / this.limit.perSecond)}`;
  }

  take(address: string): Taken {
    const taken = takeTokens(this.limit, this.buckets.get(address), 1, performance.now());
    this.buckets.set(address, taken.bucket);
    return taken;
  }

  /**
   * Whether a key that may be a guess may be looked up. An address that has not guessed lately always may: an attacker with
   * thousands of addresses neither occupies who looks keys up nor keeps out one whose key is not known here yet.
   */
  mayLookUp(address: string, now = performance.now()): boolean {
    if (!this.guessing.has(address)) return true;
    const taken = takeTokens(GUESSES, this.guesses, 1, now);
    this.guesses = taken.bucket;
    return taken.allowed;
  }

  /** The key that was looked up for the address does not exist. */
  guessed(address: string): void {
    this.guessing.set(address, true);
  }

  /** For a request that turned out to have a valid key. */
  giveBack(address: string): void {
    const bucket = this.buckets.get(address);
    if (bucket) this.buckets.set(address, { ...bucket, tokens: Math.min(this.limit.burst, bucket.tokens + 1) });
  }
}
