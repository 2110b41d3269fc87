import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { createTestDatabase } from '@stablecoin/testing/postgres';

it('nothing reaches the database through Prisma for a request whose deadline has passed', async () => {
  const files = await createTestDatabase('ledger');
  const database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 2 });
  const kindOf = (error: unknown) => databaseFailure(error).kind;
  const late = <Result>(work: () => Promise<Result>) =>
    withRequestContext({ requestId: 'request', deadline: Date.now() - 1 }, work);
  const writing = () => database.$executeRaw`INSERT INTO ledger_shards (shard, head_hash) VALUES (1, '')`;
  try {
    await expect(late(async () => database.$queryRaw`SELECT 1`).catch(kindOf)).resolves.toBe('unknown');
    await expect(late(async () => writing()).catch(kindOf)).resolves.toBe('unknown');
    await expect(late(() => database.$transaction(() => writing())).catch(kindOf)).resolves.toBe('unknown');
    await expect(database.$queryRaw`SELECT count(*)::int AS shards FROM ledger_shards`).resolves.toEqual([
      { shards: 0 },
    ]);
  } finally {
    await database.$disconnect();
    await files.drop();
  }
});
