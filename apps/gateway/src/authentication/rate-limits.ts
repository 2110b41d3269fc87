import { Injectable } from '@nestjs/common';
import { GatewayConfiguration } from '../gateway.configuration';
import { Bucket, RateLimit, Taken, takeToken } from './token-bucket';

const MAX_BUCKETS = 20_000;

/** The buckets of the keys that were used last, in this process: each gateway instance counts for itself. */
@Injectable()
export class RateLimits {
  private readonly limit: RateLimit;
  private readonly buckets = new Map<string, Bucket>();
  /** The RateLimit-Policy header (IETF draft): a full bucket, and how long it takes to fill. */
  readonly policy: string;

  constructor(configuration: GatewayConfiguration) {
    this.limit = { perSecond: configuration.rateLimitPerSecond, burst: configuration.rateLimitBurst };
    this.policy = `"default";q=${this.limit.burst};w=${Math.ceil(this.limit.burst / this.limit.perSecond)}`;
  }

  take(apiKeyId: string): Taken {
    const taken = takeToken(this.limit, this.buckets.get(apiKeyId), performance.now());
    this.buckets.delete(apiKeyId);
    this.buckets.set(apiKeyId, taken.bucket);
    if (this.buckets.size > MAX_BUCKETS) this.dropOldest();
    return taken;
  }

  private dropOldest(): void {
    const [oldest] = this.buckets.keys();
    if (oldest !== undefined) this.buckets.delete(oldest);
  }
}
