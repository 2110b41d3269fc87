import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { Drawing } from '@stablecoin/testing/drawing';
import { FactHandler } from '../fact-handler';
import { Deliveries } from './deliveries';

const COPIES_MAX = 3;
const BATCH_MAX = 5;
const PARKED_SHARE = 0.1;
const FORGETTING_SHARE = 0.1;
const REFILL_SHARE = 0.3;

/** Lists merged into one; each keeps its order. */
export function merged<Item>(lists: readonly (readonly Item[])[], draw: Drawing): Item[] {
  const left = lists.map((list) => [...list]).filter((list) => list.length > 0);
  const all: Item[] = [];
  while (left.length > 0) {
    const at = draw.below(left.length);
    all.push((left[at] as Item[]).shift() as Item);
    if (left[at]?.length === 0) left.splice(at, 1);
  }
  return all;
}

/**
 * Delivers a history as badly as a broker may: every fact up to COPIES_MAX times, in any order, in batches of any size.
 * Now and then it deletes inbox rows, as the retention does, and parks a fact, which it retries at the end; sometimes
 * it delivers the whole stream again from its beginning.
 *
 * @param asOwner runs a statement in the handler's database with its owner's rights
 */
export async function deliverInDisorder(
  handler: FactHandler,
  history: readonly LedgerFact[],
  draw: Drawing,
  asOwner: (statement: string) => Promise<unknown>,
): Promise<void> {
  const deliveries = new Deliveries(handler);
  const copies = history.flatMap((fact) => Array<LedgerFact>(1 + draw.below(COPIES_MAX)).fill(fact));
  const waiting = draw.shuffled(copies);
  while (waiting.length > 0) {
    const batch = waiting.splice(0, 1 + draw.below(BATCH_MAX));
    if (draw.next() < PARKED_SHARE) await deliveries.park(batch.shift() as LedgerFact);
    await deliveries.deliver(...batch);
    if (draw.next() < FORGETTING_SHARE) await asOwner('DELETE FROM inbox');
  }
  await asOwner('UPDATE parked_facts SET retry_requested_at = now()');
  await deliveries.desk.retryRequested();
  if (draw.next() < REFILL_SHARE) {
    await asOwner('DELETE FROM inbox');
    await deliveries.deliver(...history);
  }
}

/** In the order of the log, each once: every other order of delivery must have the same result. */
export async function deliverInOrder(handler: FactHandler, history: readonly LedgerFact[], oneByOne: boolean) {
  const deliveries = new Deliveries(handler);
  if (!oneByOne) return deliveries.deliver(...history);
  for (const fact of history) await deliveries.deliver(fact);
}

const SEEDS = Number(process.env['DELIVERY_SEEDS'] ?? '40');
const FIRST_SEED = Number(process.env['DELIVERY_SEED'] ?? Date.now() % 100_000);

/** The seeds of a run, which its test's name shows; `npm run test:delivery -- --seeds N --seed FIRST` runs others. */
export const DISORDER_SEEDS = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index);
/** Generous: machines that test several things at once are slow. */
export const DISORDER_TIMEOUT_MS = 60_000 + SEEDS * 2_000;
