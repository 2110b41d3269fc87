/**
 * Who is left out when the shards are shared: a member that says it is alive and does not take what is its share, for
 * want of connections perhaps, would leave those shards to nobody. One whose share has been free for longer than taking
 * it needs is passed over for a while, by whoever notices; then it is counted again.
 */
import { fairShare, Member } from './fair-share';

/** Several looks; shorter than the bus client waits for somebody to answer for a shard. */
const PATIENCE_MS = 1_500;
const PASSED_OVER_MS = 60_000;

export class UnresponsiveInstances {
  private readonly freeSince = new Map<number, number>();
  private readonly passedOverUntil = new Map<string, number>();

  /**
   * @param free the shards that nobody holds now
   * @param nowMs on a clock that only goes forward
   * @returns those among whom the shards are shared, oneself always among them
   */
  counting<Each extends Member>(
    { free, members }: { free: readonly number[]; members: readonly Each[] },
    shards: number,
    self: string,
    nowMs: number,
  ): Each[] {
    for (const shard of this.freeSince.keys()) if (!free.includes(shard)) this.freeSince.delete(shard);
    for (const shard of free) if (!this.freeSince.has(shard)) this.freeSince.set(shard, nowMs);
    const isCounted = ({ instance }: Member) =>
      instance === self || (this.passedOverUntil.get(instance) ?? -Infinity) <= nowMs;
    const counted = members.filter(isCounted);
    if (![...this.freeSince.values()].some((since) => nowMs - since >= PATIENCE_MS)) return counted;
    for (const { instance, held } of counted) {
      if (held < fairShare(shards, counted, instance)) this.passedOverUntil.set(instance, nowMs + PASSED_OVER_MS);
    }
    this.forget(members);
    return counted.filter(isCounted);
  }

  private forget(members: readonly Member[]): void {
    const known = new Set(members.map(({ instance }) => instance));
    for (const instance of this.passedOverUntil.keys()) if (!known.has(instance)) this.passedOverUntil.delete(instance);
  }
}
