/** An instance of the service, as the others see it. */
export interface Member {
  instance: string;
  /** How many shards it holds. */
  held: number;
}

/**
 * How many shards an instance should hold: all get the same number, and the remainder goes to the instances that hold most
 * already (by name between equals), so that as few shards as possible change hands. The shares of all members sum to
 * `shards`, and every instance that sees the same members computes the same shares.
 *
 * @param nameOf by which names equals are ordered: with several databases, one that is first in all would get every remainder
 */
export function fairShare(
  shards: number,
  members: readonly Member[],
  instance: string,
  nameOf: (instance: string) => string = (name) => name,
): number {
  const ranked = [...members].sort(
    (one, other) => other.held - one.held || (nameOf(one.instance) < nameOf(other.instance) ? -1 : 1),
  );
  const rank = ranked.findIndex((member) => member.instance === instance);
  if (rank < 0) return 0;
  return Math.floor(shards / ranked.length) + (rank < shards % ranked.length ? 1 : 0);
}
