/**
 * New events, from the list that the service keeps of all of them, whether a webhook takes them or not.
 *
 * The list is newest first, and an event can enter it below others: what the ledger did becomes an event a moment later, each shard by
 * itself. So every look goes back to OVERLAP_MS before the newest event that was seen, over as many pages as that takes, and an id
 * counts once. Events that come in while the pages are read push others onto the next page, where they are met again. An event
 * that enters later than that, after an outage of the service's own relay, is missed here: the list has it.
 */

import type { Event } from 'stablecoin-sdk';

export const OVERLAP_MS = 120_000;

type ListedEvent = Pick<Event, 'id' | 'created_at'>;
type LoadPage<Listed> = (page: number) => Promise<{ data: Listed[]; pagination: { totalPages: number } }>;

export class EventFeed<Listed extends ListedEvent = Event> {
  /** When it was created, by the id of an event that was seen. */
  private readonly seen = new Map<string, number>();
  /** Undefined before the first look; then of the newest event, or of no event at all. */
  private newestMs: number | undefined;

  constructor(private readonly load: LoadPage<Listed>) {}

  /** Takes all events of now as seen. */
  async start(): Promise<void> {
    const { data } = await this.load(1);
    this.newestMs = Math.max(-Infinity, ...data.map(createdMsOf));
    await this.next();
  }

  /** Those that came since the last look, oldest first. When a page fails, the next look has them all. */
  async next(): Promise<Listed[]> {
    const found = (await this.eventsSince((this.newestMs ?? -Infinity) - OVERLAP_MS)).filter(
      ({ id }) => !this.seen.has(id),
    );
    for (const event of found) this.seen.set(event.id, createdMsOf(event));
    const newestMs = Math.max(this.newestMs ?? -Infinity, ...found.map(createdMsOf));
    for (const [id, createdMs] of this.seen) if (createdMs < newestMs - OVERLAP_MS) this.seen.delete(id);
    this.newestMs = newestMs;
    return found.reverse();
  }

  /** Newest first, each once. */
  private async eventsSince(sinceMs: number): Promise<Listed[]> {
    const found = new Map<string, Listed>();
    for (let number = 1; ; number += 1) {
      const { data, pagination } = await this.load(number);
      const wanted = data.filter((event) => createdMsOf(event) >= sinceMs);
      for (const event of wanted) found.set(event.id, event);
      if (wanted.length < data.length || number >= pagination.totalPages) return [...found.values()];
    }
  }
}

const createdMsOf = ({ created_at }: ListedEvent): number => Date.parse(created_at);
