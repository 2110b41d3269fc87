import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { chainDatabaseAt } from '../testing/database';
import { ChainDatabase } from './chain-database';
import { NetworkLease } from './network-lease';

const NETWORK = 'polygon';
/** Longer than this spec runs; the lease that is to end has one of its own. */
const LONG_MS = 600_000;

let created: TestDatabase;
let database: ChainDatabase;

beforeAll(async () => {
  created = await createTestDatabase('chain');
  database = chainDatabaseAt(created.url);
});
afterAll(async () => {
  await database.onApplicationShutdown();
  await created.drop();
});

describe.each(['walk_leases', 'treasuries'] as const)('a lease in %s', (table) => {
  const lease = (leaseMs = LONG_MS) => new NetworkLease(database, table, leaseMs);

  it('is held by one, until it is released', async () => {
    const [one, other] = [lease(), lease()];
    expect([await one.hold(NETWORK), await other.hold(NETWORK), await one.hold(NETWORK)]).toEqual([true, false, true]);
    await other.release(NETWORK);
    expect(await other.hold(NETWORK)).toBe(false);
    expect([await one.keep(database, NETWORK), await other.keep(database, NETWORK)]).toEqual([true, false]);
    await one.release(NETWORK);
    expect(await one.keep(database, NETWORK)).toBe(false);
    expect([await other.hold(NETWORK), await one.hold(NETWORK)]).toEqual([true, false]);
    await other.release(NETWORK);
  });

  it('ends by itself, and is not kept then', async () => {
    const [ended, next] = [lease(0), lease()];
    expect(await ended.hold(NETWORK)).toBe(true);
    expect(await ended.keep(database, NETWORK)).toBe(false);
    expect([await next.hold(NETWORK), await ended.hold(NETWORK)]).toEqual([true, false]);
    await next.release(NETWORK);
  });

  it('of one network is not that of another', async () => {
    const [one, other] = [lease(), lease()];
    expect([await one.hold(NETWORK), await other.hold('erc20')]).toEqual([true, true]);
    await Promise.all([one.release(NETWORK), other.release('erc20')]);
  });
});
