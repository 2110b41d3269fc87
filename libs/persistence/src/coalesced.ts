import DataLoader from 'dataloader';
import { databaseFailure } from './database-error';

const MAX_ITEMS = 500;

/**
 * Makes one statement of many calls that are made at about the same time: those of one turn of the event loop wait
 * for each other, and nobody waits longer. A call sees its own result or its own error; where a statement fails by
 * what is in it, its items are tried one by one, so that one bad item holds up only itself.
 *
 * @param work the items' results, in the items' order
 */
export function coalesced<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const loader = new DataLoader<Item, Result>((items) => together(work, items), {
    cache: false,
    maxBatchSize: MAX_ITEMS,
  });
  return (item) => loader.load(item);
}

async function together<Item, Result>(
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
