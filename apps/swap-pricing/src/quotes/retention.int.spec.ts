import { randomUUID } from 'node:crypto';
import { InboxRetention } from '@stablecoin/facts/inbox-retention';
import { Client } from 'pg';
import { SwapSettledConsumer } from '../swaps/swap-settled.consumer';
import { RunningSwapPricing, startSwapPricing } from '../testing/running-service';
import { QuoteRetention } from './quote-retention';

let service: RunningSwapPricing;
let owner: Client;

beforeAll(async () => {
  service = await startSwapPricing({ QUOTES_UNUSED_MAX: '1500' });
  owner = new Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.stop();
});

async function quotes(
  state: 'open' | 'claimed' | 'used',
  expiredDaysAgo: number,
  count = 1,
  merchant: string = randomUUID(),
): Promise<string> {
  const claim = state === 'claimed' ? `gen_random_uuid(), 'hash', 0, now()` : 'NULL, NULL, NULL, NULL';
  await owner.query(
    `INSERT INTO quotes (id, merchant_id, owner_id, from_currency, to_currency, from_amount, to_amount, quoted_price, state,
       claim_command_id, claim_input_hash, claim_shard, running_until, priced_at, expires_at, created_at, updated_at)
     SELECT gen_random_uuid(), $1, $1, 'USD', 'NGN', 1, 1, 1, $2, ${claim}, now(), now() - $3::int * interval '1 day', now(), now()
     FROM generate_series(1, $4::int)`,
    [merchant, state, expiredDaysAgo, count],
  );
  return merchant;
}

it('unused quotes are deleted after their retention, in batches; all others stay', async () => {
  await quotes('open', 31, 2_500);
  await quotes('open', 29);
  await quotes('claimed', 31);
  await quotes('used', 31);
  await service.app.get(QuoteRetention).purge();
  const { rows } = await owner.query('SELECT state, count(*)::int AS count FROM quotes GROUP BY state ORDER BY state');
  expect(rows).toEqual([
    { state: 'claimed', count: 1 },
    { state: 'open', count: 1 },
    { state: 'used', count: 1 },
  ]);
});

it('of the expired unused quotes of one merchant the newest are kept, whatever others have; open ones stay', async () => {
  await quotes('open', 2, 1_400);
  const merchant = await quotes('open', 3, 1_200);
  await quotes('open', 2, 1_100, merchant);
  await quotes('used', 3, 300, merchant);
  await quotes('open', -1, 300, merchant);
  await service.app.get(QuoteRetention).purgeBeyondShares();
  const { rows } = await owner.query(
    `SELECT state, round(extract(epoch FROM now() - expires_at) / 86400)::int AS days, count(*)::int AS count
     FROM quotes WHERE merchant_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
    [merchant],
  );
  expect(rows).toEqual([
    { state: 'open', days: -1, count: 300 },
    { state: 'open', days: 2, count: 1_100 },
    { state: 'open', days: 3, count: 400 },
    { state: 'used', days: 3, count: 300 },
  ]);
  const others = await owner.query(
    `SELECT 1 FROM quotes WHERE merchant_id <> $1 AND expires_at > now() - interval '3 days'`,
    [merchant],
  );
  expect(others.rowCount).toBe(1_400);
});

it('inbox rows are deleted after their retention, only those of the same consumer', async () => {
  await owner.query(
    `INSERT INTO inbox (consumer, shard, position, created_at)
     SELECT consumer, 1, position, now() - days * interval '1 day'
     FROM (VALUES ('swap-pricing', 31), ('swap-pricing', 29), ('another', 31)) AS kept (consumer, days),
       generate_series(days * 10000, days * 10000 + 1200) AS position`,
  );
  await new InboxRetention([service.app.get(SwapSettledConsumer)], 30).purge();
  const { rows } = await owner.query(
    'SELECT consumer, count(*)::int AS count, min(position)::int AS first FROM inbox GROUP BY consumer ORDER BY consumer',
  );
  expect(rows).toEqual([
    { consumer: 'another', count: 1_201, first: 310_000 },
    { consumer: 'swap-pricing', count: 1_201, first: 290_000 },
  ]);
});
