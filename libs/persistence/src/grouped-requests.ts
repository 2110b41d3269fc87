import { AsyncResource } from 'node:async_hooks';
import DataLoader from 'dataloader';
import { currentRequest, freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { ITEMS_MAX, together } from './coalesced';
import { DeadlinePassed } from './deadline-pool';

/** So that one slow statement holds up only what is in it. */
const STATEMENTS_MAX = 2;

interface Call<Item> {
  item: Item;
  deadline: number;
}

/**
 * `coalesced` for what requests wait for: the calls that come in one turn of the event loop, or while STATEMENTS_MAX
 * statements are under way, make up one statement. The busier the database, the more of them share a commit.
 *
 * The statement goes by the latest deadline of its calls. A call whose own has passed before it begins is not in it.
 *
 * @param work the items' results, in the items' order. It must not wait for a lock that a single caller can hold: all
 *   others would wait with him
 */
export function groupedRequests<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const turns = new Turns(STATEMENTS_MAX);
  const loader = new DataLoader<Call<Item>, Result>((calls) => inTime(work, calls).finally(() => turns.end()), {
    cache: false,
    maxBatchSize: ITEMS_MAX,
    // What a trace shows of it belongs to the first of its calls, not to the one whose statement ended before.
    batchScheduleFn: (begin) => turns.begin(AsyncResource.bind(begin)),
  });
  return (item) => loader.load({ item, deadline: currentRequest()?.deadline ?? Infinity });
}

async function inTime<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  calls: readonly Call<Item>[],
): Promise<(Result | Error)[]> {
  const now = Date.now();
  const open = calls.filter(({ deadline }) => now < deadline);
  if (open.length === 0) return calls.map(() => new DeadlinePassed());
  const latest = Math.max(...open.map(({ deadline }) => deadline));
  const context = { ...freshRequestContext(), ...(latest !== Infinity && { deadline: latest }) };
  const results = await withRequestContext(context, () =>
    together(
      work,
      open.map(({ item }) => item),
    ),
  );
  const resultOf = new Map(open.map((call, index) => [call, results[index] as Result | Error]));
  return calls.map((call) => (resultOf.has(call) ? (resultOf.get(call) as Result | Error) : new DeadlinePassed()));
}

/** At most so many at a time; the others begin in their order. */
class Turns {
  private readonly waiting: (() => void)[] = [];
  private taken = 0;

  constructor(private readonly most: number) {}

  begin(work: () => void): void {
    if (this.taken === this.most) {
      this.waiting.push(work);
      return;
    }
    this.taken += 1;
    // After all that has arrived with this call.
    setImmediate(work);
  }

  end(): void {
    const next = this.waiting.shift();
    if (next) setImmediate(next);
    else this.taken -= 1;
  }
}
