import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayConfiguration } from '../gateway.configuration';
import type { Caller } from './caller';
import { Bucket, owe, RateLimit, Taken, takeTokens } from '@stablecoin/http-answers/token-bucket';

const BUCKETS_MAX = 20_000;
/** All keys of a merchant together may use this many times what one key may: more keys give no more of the services. */
const MERCHANT_FACTOR = 2;

export type RateTaken = Omit<Taken, 'bucket'>;

/** The token buckets of the API keys and merchants used last in this process; each gateway instance counts by itself. */
@Injectable()
export class RateLimits {
  private readonly keyLimit: RateLimit;
  private readonly merchantLimit: RateLimit;
  private readonly buckets = new LRUCache<string, Bucket>({ max: BUCKETS_MAX });
  /** The RateLimit-Policy header (IETF draft): a full bucket, and how long it takes to fill. */
  readonly policy: string;

  constructor({ rateLimitPerSecond: perSecond, rateLimitBurst: burst }: GatewayConfiguration) {
    this.keyLimit = { perSecond, burst };
    this.merchantLimit = { perSecond: MERCHANT_FACTOR * perSecond, burst: MERCHANT_FACTOR * burst };
    this.policy = `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`;
  }

  /** Takes the cost from the buckets of the key and its merchant, or from neither. */
  take({ api_key_id, merchant_id }: Caller, cost: number): RateTaken {
    const now = performance.now();
    const [keyBucket, merchantBucket] = [`key ${api_key_id}`, `merchant ${merchant_id}`];
    const ofKey = takeTokens(this.keyLimit, this.buckets.get(keyBucket), cost, now);
    const ofMerchant = takeTokens(this.merchantLimit, this.buckets.get(merchantBucket), cost, now);
    const allowed = ofKey.allowed && ofMerchant.allowed;
    if (allowed || !ofKey.allowed) this.buckets.set(keyBucket, ofKey.bucket);
    if (allowed || !ofMerchant.allowed) this.buckets.set(merchantBucket, ofMerchant.bucket);
    const remaining = Math.min(ofKey.remaining, ofMerchant.remaining);
    return { allowed, remaining, waitMs: Math.max(ofKey.waitMs, ofMerchant.waitMs) };
  }

  /** Takes from both what a request turned out to cost beyond what it was begun with; later requests of the merchant pay for it. */
  charge({ api_key_id, merchant_id }: Caller, cost: number): void {
    const now = performance.now();
    const [keyBucket, merchantBucket] = [`key ${api_key_id}`, `merchant ${merchant_id}`];
    this.buckets.set(keyBucket, owe(this.keyLimit, this.buckets.get(keyBucket), cost, now));
    this.buckets.set(merchantBucket, owe(this.merchantLimit, this.buckets.get(merchantBucket), cost, now));
  }
}
