import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { Drawing } from '@stablecoin/testing/drawing';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { LedgerDatabase } from '../ledger-database';
import { placeShard } from './place-shard';
import { PlacedDatabase, readShardRows } from './shard-rows';

const SHARD = 3;
let files: TestDatabase[];
let connections: LedgerDatabase[];
let databases: PlacedDatabase[];

beforeAll(async () => {
  files = await Promise.all([createTestDatabase('ledger'), createTestDatabase('ledger')]);
  connections = files.map(({ url }) => new LedgerDatabase({ url, applicationName: 'test', poolSize: 4 }));
  databases = connections.map((sql, index) => ({ name: index === 0 ? 'home' : 'b', sql }));
});

beforeEach(async () => {
  const owners = files.map(
    ({ ownerUrl }) => new LedgerDatabase({ url: ownerUrl, applicationName: 'test', poolSize: 1 }),
  );
  for (const owner of owners) await owner.$executeRaw`DELETE FROM ledger_shards`;
  await Promise.all(owners.map((owner) => owner.$disconnect()));
  await home().$executeRaw`INSERT INTO ledger_shards (shard, epoch, head_hash) VALUES (${SHARD}, 7, ${GENESIS_HASH})`;
});

afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.$disconnect()));
  await Promise.all(files.map((one) => one.drop()));
});

const home = () => (databases[0] as PlacedDatabase).sql;
const b = () => (databases[1] as PlacedDatabase).sql;
const place = (to: string, among = databases) => placeShard(among, { shard: SHARD, to, handOverMs: 300 });

/** The names of the databases that say that they have the shard. */
async function having(): Promise<string[]> {
  const rows = await Promise.all(
    databases.map(async ({ name, sql }) => ({ name, row: (await readShardRows(sql, SHARD))[0] })),
  );
  return rows.filter(({ row }) => row?.moved_to === null).map(({ name }) => name);
}

const epochs = async () =>
  Promise.all(databases.map(async ({ sql }) => Number((await readShardRows(sql, SHARD))[0]?.epoch)));

/** The databases, with what a mover does at each statement that changes something: it is told how many there were before. */
function watched(before: (count: number) => Promise<void>): PlacedDatabase[] {
  let count = 0;
  return databases.map(({ name, sql }) => ({
    name,
    sql: {
      $queryRaw: sql.$queryRaw.bind(sql),
      $executeRaw: async (text: never, ...values: unknown[]) => {
        await before(count++);
        return sql.$executeRaw(text, ...values);
      },
    },
  }));
}

it('is on the other database then, and comes back, under a higher epoch each time', async () => {
  expect(await place('b')).toMatchObject({ moved: true, events: 0 });
  expect({ having: await having(), epochs: await epochs() }).toEqual({ having: ['b'], epochs: [8, 9] });
  expect(await place('b')).toMatchObject({ moved: false });
  expect(await place('home')).toMatchObject({ moved: true });
  expect({ having: await having(), epochs: await epochs() }).toEqual({ having: ['home'], epochs: [11, 10] });
});

it('leaves a row that no version of the service can hold or append to', async () => {
  await place('b');
  const taken = await home().$executeRaw`
    UPDATE ledger_shards SET epoch = epoch + 1, holder = 'an older one', lease_expires_at = now() WHERE shard = ${SHARD}`;
  const moved = await home().$executeRaw`UPDATE ledger_shards SET head_position = 1 WHERE shard = ${SHARD}`;
  expect([taken, moved]).toEqual([0, 0]);
});

describe('is refused, and nothing changes,', () => {
  afterEach(async () => expect(await having()).toEqual(['home']));

  it('for a shard with events', async () => {
    await home().$executeRaw`UPDATE ledger_shards SET head_position = 1 WHERE shard = ${SHARD}`;
    await expect(place('b')).rejects.toThrow('has events');
  });

  it('while its holder does not hand it over', async () => {
    await home().$executeRaw`
      UPDATE ledger_shards SET holder = 'an instance', lease_expires_at = now() + interval '1 minute' WHERE shard = ${SHARD}`;
    await expect(place('b')).rejects.toThrow('not handed over');
  });

  it('for a database that is not named', () =>
    expect(place('c')).rejects.toThrow('There is no database "c": there are home, b.'));
});

it('is refused for a shard that two databases say they have, and for one that none has', async () => {
  await b().$executeRaw`INSERT INTO ledger_shards (shard, head_hash) VALUES (${SHARD}, ${GENESIS_HASH})`;
  await expect(place('b')).rejects.toThrow('home, b both say that they have shard 3');
  await expect(placeShard(databases, { shard: 9, to: 'b' })).rejects.toThrow('No database has shard 9');
});

it.each([0, 1, 2, 3, 4])('can be repeated and undone when the mover is gone before its change %i', async (step) => {
  for (const to of ['b', 'home']) {
    await place('home');
    const dying = watched((count) => (count === step ? Promise.reject(new Error('killed')) : Promise.resolve()));
    await expect(place('b', dying)).rejects.toThrow('killed');
    // A departure without an arrival is on neither side; every other is where it was.
    expect(await having()).toEqual(step === 4 ? [] : ['home']);
    await place(to);
    expect(await having()).toEqual([to]);
  }
});

it('never has two places, whatever two movers do at once and wherever they are stopped', async () => {
  const draw = new Drawing(20261206);
  for (let round = 0; round < 60; round += 1) {
    const slow = () =>
      watched(async () => {
        if (draw.next() < 0.1) throw new Error('killed');
        await new Promise((resolve) => setTimeout(resolve, draw.below(4)));
      });
    await Promise.allSettled([place('b', slow()), place('home', slow()), place('b', slow())]);
    const found = await having();
    expect(found.length).toBeLessThan(2);
    const to = draw.next() < 0.5 ? 'b' : 'home';
    await place(to);
    expect(await having()).toEqual([to]);
  }
}, 60_000);
