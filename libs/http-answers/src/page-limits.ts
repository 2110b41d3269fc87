import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LRUCache } from 'lru-cache';
import { Bucket, RateLimit, takeTokens } from './token-bucket';

const MIB = 1024 * 1024;
/** Bytes. The pages of one visit are 0.2 MiB, the interface document without compression is 1. */
const OF_ADDRESS: RateLimit = { perSecond: 4 * MIB, burst: 16 * MIB };
/** Bytes: what 10 Gbit/s would carry thirty times over, and no load to speak of for the gateway. */
const OF_ALL: RateLimit = { perSecond: 32 * MIB, burst: 64 * MIB };
const ADDRESSES_MAX = 20_000;

/**
 * How many bytes of what needs no key are sent, to each address and to all. The interface document takes a request of a hundred bytes,
 * and who reads nothing of the answer has the kernel keep some megabytes of it for each connection: writing them is processor
 * time that callers with a key lack.
 */
export class PageLimits {
  private readonly byAddress = new LRUCache<string, Bucket>({ max: ADDRESSES_MAX });
  private ofAll: Bucket | undefined;

  /**
   * @param now in milliseconds
   * @throws Refusal `rate_limited` where the address has had its bytes, `unavailable` where all together have
   */
  take(address: string, bytes: number, now = performance.now()): void {
    const ofAddress = takeTokens(OF_ADDRESS, this.byAddress.get(address), bytes, now);
    this.byAddress.set(address, ofAddress.bucket);
    if (!ofAddress.allowed) throw Refusal.rateLimited(Math.ceil(ofAddress.waitMs / 1_000));
    const ofAll = takeTokens(OF_ALL, this.ofAll, bytes, now);
    this.ofAll = ofAll.bucket;
    if (!ofAll.allowed) throw Refusal.notExecuted();
  }
}
