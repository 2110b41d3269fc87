import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayConfiguration } from '../gateway.configuration';
import { Bucket, RateLimit, Taken, takeToken } from './token-bucket';

const BUCKETS_MAX = 20_000;

/** The token buckets of the API keys used last in this process; each gateway instance counts by itself. */
@Injectable()
export class RateLimits {
  private readonly limit: RateLimit;
  private readonly buckets = new LRUCache<string, Bucket>({ max: BUCKETS_MAX });
  /** The RateLimit-Policy header (IETF draft): a full bucket, and how long it takes to fill. */
  readonly policy: string;

  constructor(configuration: GatewayConfiguration) {
    this.limit = { perSecond: configuration.rateLimitPerSecond, burst: configuration.rateLimitBurst };
    this.policy = `"default";q=${this.limit.burst};w=${Math.ceil(this.limit.burst / this.limit.perSecond)}`;
  }

  take(apiKeyId: string): Taken {
    const taken = takeToken(this.limit, this.buckets.get(apiKeyId), performance.now());
    this.buckets.set(apiKeyId, taken.bucket);
    return taken;
  }
}
