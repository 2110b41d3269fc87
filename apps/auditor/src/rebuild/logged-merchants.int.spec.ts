/** Of more merchants than are remembered, each is noted once in each shard, where its log names it first. */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { createTestDatabase } from '@stablecoin/testing/postgres';
import { createLoggedMerchants, LoggedMerchants } from './logged-merchants';

const idOf = (number: number) => `0199f000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const named = (shard: number, merchant: number, position: number) =>
  ({ shard, merchant_id: idOf(merchant), position, recorded_at: '2026-11-21T12:00:00.000Z' }) as RecordedEvent;

it('a merchant that was forgotten meanwhile keeps its first position', async () => {
  const files = await createTestDatabase('ledger');
  const database = new LedgerDatabase({ url: files.ownerUrl, applicationName: 'test', poolSize: 1 });
  try {
    await createLoggedMerchants(database);
    const merchants = new LoggedMerchants(database);
    await merchants.follow(Array.from({ length: 10_001 }, (_, index) => named(0, index, index + 1)));
    await merchants.follow([named(0, 20_000, 10_002)]);
    await merchants.follow([named(0, 0, 10_003), named(0, 20_000, 10_004), named(1, 0, 1)]);
    const found = await database.$queryRaw`
      SELECT shard, merchant_id::text, position::int FROM logged_merchants
      WHERE merchant_id IN (${idOf(0)}::uuid, ${idOf(20_000)}::uuid) ORDER BY shard, position`;
    expect(found).toEqual([
      { shard: 0, merchant_id: idOf(0), position: 1 },
      { shard: 0, merchant_id: idOf(20_000), position: 10_002 },
      { shard: 1, merchant_id: idOf(0), position: 1 },
    ]);
  } finally {
    await database.$disconnect();
    await files.drop();
  }
});
