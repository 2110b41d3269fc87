import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayConfiguration } from '../gateway.configuration';
import { Bucket, RateLimit, Taken, takeTokens } from './token-bucket';

/** A bucket that is evicted was full again, or belongs to one of more addresses than can be told apart. */
const ADDRESSES_MAX = 20_000;

/** The token buckets of addresses that send requests without a valid API key. */
@Injectable()
export class UnauthenticatedRateLimits {
  private readonly limit: RateLimit;
  private readonly buckets = new LRUCache<string, Bucket>({ max: ADDRESSES_MAX });
  /** The RateLimit-Policy header (IETF draft). */
  readonly policy: string;

  constructor({ unauthenticatedRateLimitPerSecond, unauthenticatedRateLimitBurst }: GatewayConfiguration) {
    this.limit = { perSecond: unauthenticatedRateLimitPerSecond, burst: unauthenticatedRateLimitBurst };
    this.policy = `"unauthenticated";q=${this.limit.burst};w=${Math.ceil(this.limit.burst / this.limit.perSecond)}`;
  }

  take(address: string): Taken {
    const taken = takeTokens(this.limit, this.buckets.get(address), 1, performance.now());
    this.buckets.set(address, taken.bucket);
    return taken;
  }

  /** For a request that turned out to have a valid key. */
  giveBack(address: string): void {
    const bucket = this.buckets.get(address);
    if (bucket) this.buckets.set(address, { ...bucket, tokens: Math.min(this.limit.burst, bucket.tokens + 1) });
  }
}
