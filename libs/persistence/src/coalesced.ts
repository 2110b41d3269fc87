import DataLoader from 'dataloader';
import { databaseFailure } from './database-error';

/** Of one statement. */
export const ITEMS_MAX = 500;

/**
 * Makes one statement of the calls made in the same turn of the event loop; no call waits longer for others. Each call
 * gets its own result or its own error: where a statement fails because of its data, its items are tried one by one, so
 * that one bad item fails only its own call.
 *
 * @param work the items' results, in the items' order
 */
export function coalesced<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const loader = new DataLoader<Item, Result>((items) => together(work, items), {
    cache: false,
    maxBatchSize: ITEMS_MAX,
  });
  return (item) => loader.load(item);
}

/** The results in the items' order; after a failure that may be of one item's data, each by itself. */
export async function together<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  items: readonly Item[],
): Promise<ArrayLike<Result | Error>> {
  try {
    return await work(items);
  } catch (error) {
    const { kind } = databaseFailure(error);
    const mayBeOneItems = kind === 'constraint' || kind === 'bug';
    if (items.length === 1 || !mayBeOneItems) throw error;
    return Promise.all(items.map((item) => work([item]).then(([result]) => result as Result, asError)));
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
