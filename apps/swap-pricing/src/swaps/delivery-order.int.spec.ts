/** In any order of delivery, the ledger's facts mark exactly the quotes as used whose swaps the ledger has settled. */
import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { FactConsumers } from '@stablecoin/facts/fact-consumers';
import {
  deliverInDisorder,
  deliverInOrder,
  DISORDER_SEEDS,
  DISORDER_TIMEOUT_MS,
} from '@stablecoin/facts/testing/disorder';
import { Drawing } from '@stablecoin/testing/drawing';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { SwapDatabase } from '../persistence/swap-database';
import { SwapPricingConfiguration } from '../swap-pricing.configuration';
import { SwapSettledConsumer } from './swap-settled.consumer';

let files: TestDatabase;
let database: SwapDatabase;
let handler: SwapSettledConsumer;
let owner: Client;
let shards = 0;

beforeAll(async () => {
  // Each fact that is parked here logs an error.
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  files = await createTestDatabase('swap');
  owner = new Client({ connectionString: files.ownerUrl });
  await owner.connect();
  const configuration = { databaseUrl: files.url, databasePoolSize: 2 };
  database = new SwapDatabase(Object.assign(new SwapPricingConfiguration(), configuration));
  handler = new SwapSettledConsumer(database, { add: () => undefined } as unknown as FactConsumers);
});
afterAll(async () => {
  await owner.end();
  await database.$disconnect();
  await files.drop();
});

/** Claimed quotes of a merchant, and the facts of those that the ledger has settled. Each has another amount. */
async function history(seed: number): Promise<{ facts: LedgerFact[]; merchant: string }> {
  const draw = new Drawing(seed);
  const merchant = randomUUID();
  const shard = (shards += 1);
  const quotes = Array.from({ length: 1 + draw.below(8) }, (_, index) => ({
    id: randomUUID(),
    amount: index + 1,
  }));
  for (const { id, amount } of quotes) await claim(id, merchant, amount);
  const settled = draw.shuffled(quotes).filter(() => draw.next() < 0.7);
  const facts = settled.map(({ id }, index) => {
    const side = { id: randomUUID(), reference_id: id } as LedgerFact['transactions'][number];
    return {
      ...{ shard, position: 3 * index + 1, movement: 'swap-settled' as const, recorded_at: '', customer_id: null },
      merchant_id: merchant,
      transactions: [side, { ...side, id: randomUUID() }],
    };
  });
  return { facts, merchant };
}

const claim = (id: string, merchant: string, amount: number) =>
  owner.query(
    `INSERT INTO quotes (id, merchant_id, owner_id, from_currency, to_currency, from_amount, to_amount, quoted_price, state,
       claim_command_id, claim_input_hash, claim_shard, running_until, priced_at, expires_at, created_at, updated_at)
     VALUES ($1, $2, $2, 'USD', 'NGN', $3, 1, 1, 'claimed', gen_random_uuid(), 'hash', 0, now(), now(), now(), now(), now())`,
    [id, merchant, amount],
  );

async function quotesOf(merchant: string): Promise<unknown> {
  const text = 'SELECT from_amount::text, state FROM quotes WHERE merchant_id = $1 ORDER BY from_amount';
  return (await owner.query(text, [merchant])).rows;
}

it(
  `quotes, seeds ${DISORDER_SEEDS[0]} to ${DISORDER_SEEDS.at(-1)}`,
  async () => {
    for (const seed of DISORDER_SEEDS) {
      const [inOrder, inDisorder] = [await history(seed), await history(seed)];
      await deliverInOrder(handler, inOrder.facts, seed % 5 === 0);
      await deliverInDisorder(handler, inDisorder.facts, new Drawing(seed + 1), (statement) => owner.query(statement));
      const expected = await quotesOf(inOrder.merchant);
      expect({ seed, quotes: await quotesOf(inDisorder.merchant) }).toEqual({ seed, quotes: expected });
    }
    expect((await owner.query('SELECT * FROM parked_facts')).rows).toEqual([]);
  },
  DISORDER_TIMEOUT_MS,
);
