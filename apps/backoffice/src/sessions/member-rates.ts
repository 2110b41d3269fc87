import { Injectable } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Bucket, takeTokens } from '@stablecoin/http-answers/token-bucket';
import { Session } from '@stablecoin/people-store/sessions';
import { LRUCache } from 'lru-cache';

/** Of one member: a screen asks a handful of times at once, and a person opens one after another. */
const OF_MEMBER = { perSecond: 10, burst: 100 };
const MEMBERS_MAX = 10_000;

/** How often a member who is signed in may ask, with all its sessions together; each instance counts by itself. */
@Injectable()
export class MemberRates {
  private readonly buckets = new LRUCache<string, Bucket>({ max: MEMBERS_MAX });

  /** @throws Refusal rate_limited */
  take({ member_id }: Pick<Session, 'member_id'>): void {
    const { allowed, bucket, waitMs } = takeTokens(OF_MEMBER, this.buckets.get(member_id), 1, performance.now());
    this.buckets.set(member_id, bucket);
    if (!allowed) throw Refusal.rateLimited(Math.max(1, Math.ceil(waitMs / 1_000)));
  }
}
