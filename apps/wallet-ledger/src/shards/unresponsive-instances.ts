/**
 * Leaves instances out of the sharing that are alive and don't take their share, perhaps for want of database
 * connections: their shards would have no owner. Each instance judges for itself: a member that holds less than its share
 * while shards have been free for PATIENCE_MS is passed over for PASSED_OVER_MS, then counted again.
 */
import { fairShare, Member } from './fair-share';

/** Several looks, and shorter than the bus client waits for an owner of a shard. */
const PATIENCE_MS = 1_500;
const PASSED_OVER_MS = 60_000;

export class UnresponsiveInstances {
  private readonly freeSince = new Map<number, number>();
  private readonly passedOverUntil = new Map<string, number>();

  /**
   * @param free the shards without an owner now
   * @param nowMs on a clock that only goes forward
   * @returns the members that share the shards, `self` always among them
   */
  counting<Each extends Member>(
    { free, members }: { free: readonly number[]; members: readonly Each[] },
    shards: number,
    self: string,
    nowMs: number,
    nameOf?: (instance: string) => string,
  ): Each[] {
    for (const shard of this.freeSince.keys()) if (!free.includes(shard)) this.freeSince.delete(shard);
    for (const shard of free) if (!this.freeSince.has(shard)) this.freeSince.set(shard, nowMs);
    const isCounted = ({ instance }: Member) =>
      instance === self || (this.passedOverUntil.get(instance) ?? -Infinity) <= nowMs;
    const counted = members.filter(isCounted);
    if (![...this.freeSince.values()].some((since) => nowMs - since >= PATIENCE_MS)) return counted;
    for (const { instance, held } of counted) {
      if (held < fairShare(shards, counted, instance, nameOf))
        this.passedOverUntil.set(instance, nowMs + PASSED_OVER_MS);
    }
    this.forget(members);
    return counted.filter(isCounted);
  }

  private forget(members: readonly Member[]): void {
    const known = new Set(members.map(({ instance }) => instance));
    for (const instance of this.passedOverUntil.keys()) if (!known.has(instance)) this.passedOverUntil.delete(instance);
  }
}
