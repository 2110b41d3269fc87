import { eventHash, GENESIS_HASH } from './event-hash';

/** An event as it is stored in the log. */
export interface StoredEvent {
  shard: number;
  position: number;
  text: string;
  hash: Uint8Array;
}

/** The shard and position that a text names, if it does. */
export type Place = { readonly shard?: unknown; readonly position?: unknown };

export type ChainFault = { position: number; problem: string };

/**
 * Follows one shard's chain from its beginning, event by event: positions have no gap, each hash is over the hash before it
 * and the stored text, and the text names its own shard and position. Keeps the first fault.
 */
export class ChainVerifier {
  private previous: Uint8Array = GENESIS_HASH;
  private next = 1;
  private found: ChainFault | undefined;

  constructor(private readonly shard: number) {}

  get fault(): ChainFault | undefined {
    return this.found;
  }

  get head(): { position: number; hash: Uint8Array } {
    return { position: this.next - 1, hash: this.previous };
  }

  /**
   * @param said the place that the text names; callers that have parsed the text pass it
   * @returns the first fault so far, if any
   */
  follow(event: StoredEvent, said: Place = placeOf(event.text)): ChainFault | undefined {
    this.found ??= this.faultOf(event, said);
    this.previous = event.hash;
    this.next = event.position + 1;
    return this.found;
  }

  private faultOf(event: StoredEvent, { shard, position }: Place): ChainFault | undefined {
    const at = (position: number, problem: string) => ({ position, problem });
    if (event.position !== this.next) return at(this.next, `missing: the next one stored is ${event.position}`);
    if (!eventHash(this.previous, event.text).equals(event.hash)) {
      return at(event.position, 'hash does not fit its text and the hash before');
    }
    if (shard !== this.shard || position !== event.position)
      return at(event.position, 'text belongs to another place in the log');
    return undefined;
  }
}

function placeOf(text: string): Place {
  try {
    return (JSON.parse(text) ?? {}) as Place;
  } catch {
    return {};
  }
}
