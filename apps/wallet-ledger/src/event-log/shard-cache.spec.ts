import { Transaction } from '@stablecoin/ledger-domain/entities';
import { ShardCache } from './shard-cache';

const BOUND = 10_000;
const nothing = { $queryRaw: () => Promise.resolve([] as never), $executeRaw: () => Promise.resolve(0) };

it('forgets the oldest transactions when there are too many, but none that is under way', async () => {
  const { state, ...cache } = await filled(BOUND + 1);
  cache.trimTransactions([state.transaction('0') as Transaction]);
  const kept = [...state.transactions.keys()].map(Number);
  expect(kept.length).toBeLessThanOrEqual(BOUND);
  expect([kept[0], kept.at(-1)]).toEqual([0, BOUND]);
  expect(kept).not.toContain(1);
});

it('forgets nothing as long as there is room', async () => {
  const { state, ...cache } = await filled(BOUND);
  cache.trimTransactions([]);
  expect(state.transactions.size).toBe(BOUND);
});

async function filled(transactions: number) {
  const cache = await ShardCache.load(nothing, 0, { find: () => undefined });
  for (let number = 0; number < transactions; number += 1) {
    cache.state.putTransaction({ id: String(number), transaction_id: `code ${number}` } as Transaction);
  }
  return { state: cache.state, trimTransactions: cache.trimTransactions.bind(cache) };
}
