import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { acquireLease, ensureShards, Lease, releaseLease } from '../event-log/lease';
import { shardsCheck } from './shards-check';

let files: TestDatabase;
let database: LedgerDatabase;
let leases: Lease[];

beforeEach(async () => {
  files = await createTestDatabase('ledger');
  database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 2 });
  await ensureShards(database, 3);
  leases = [];
  for (const [shard, holder] of ['one', 'another', 'one'].entries()) {
    leases.push((await acquireLease(database, shard, holder)) as Lease);
  }
});

afterEach(async () => {
  await database.$disconnect();
  await files.drop();
});

const look = (shards: number) => shardsCheck([database], shards).look();
const lapse = (shard: number) =>
  database.$executeRaw`UPDATE ledger_shards SET lease_expires_at = now() - interval '1 ms' WHERE shard = ${shard}`;

it('succeeds while every shard has an owner, this instance or another', async () => {
  expect(await look(3)).toBeUndefined();
});

it('names the shards without one: released, lapsed, never made', async () => {
  await releaseLease(database, leases[0] as Lease);
  await lapse(2);
  expect(await look(4)).toBe('without an owner: 0, 2, 3');
});

it('finds a shard without an owner in any of several databases', async () => {
  const others = await createTestDatabase('ledger');
  const other = new LedgerDatabase({ url: others.url, applicationName: 'test', poolSize: 2 });
  try {
    await ensureShards(other, 4);
    await acquireLease(other, 3, 'one');
    expect(await shardsCheck([database, other], 4).look()).toBeUndefined();
    await lapse(1);
    expect(await shardsCheck([database, other], 4).look()).toBe('without an owner: 1');
  } finally {
    await other.$disconnect();
    await others.drop();
  }
});

it('tolerates a shard without an owner during a hand-over', async () => {
  await releaseLease(database, leases[1] as Lease);
  const found = look(3);
  await acquireLease(database, 1, 'one');
  expect(await found).toBeUndefined();
});
