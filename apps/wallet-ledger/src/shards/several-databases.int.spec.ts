import { setTimeout as delay } from 'node:timers/promises';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { readShardRows } from '@stablecoin/ledger-store/placement/shard-rows';
import { metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { eventually } from '@stablecoin/testing/eventually';
import { Client } from 'pg';
import { LedgerDatabases } from '../databases/ledger-databases';
import { ensureShards } from '../event-log/lease';
import { RunningShards } from '../testing/running-shards';

let ledger: RunningShards;
let files: TestDatabase;
let home: LedgerDatabase;
let b: LedgerDatabase;

beforeEach(async () => {
  ledger = await RunningShards.start();
  home = ledger.servers.database;
  files = await createTestDatabase('ledger');
  b = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 10 });
});

afterEach(async () => {
  await ledger.stop();
  await b.$disconnect();
  await files.drop();
});

async function startInstance(shards: number): Promise<void> {
  const databases = new LedgerDatabases([
    { name: 'home', database: home, reads: home },
    { name: 'b', database: b, reads: b },
  ]);
  const instance = await ledger.newInstance({ shards, checkpointIntervalMs: 60_000 }, databases);
  await instance.shards.onApplicationBootstrap();
}

/** The shards that an instance holds, by the database in which it does. */
const held = async () =>
  Object.fromEntries(
    await Promise.all(
      Object.entries({ home, b }).map(async ([name, sql]) => {
        const rows = await readShardRows(sql);
        return [name, rows.filter((row) => row.held).map(({ shard }) => shard)] as const;
      }),
    ),
  );

/** As it is after a shard was placed on b, or came back from there. */
const say = (sql: LedgerDatabase, shard: number, moved_to: string | null) =>
  sql.$executeRaw`UPDATE ledger_shards SET moved_to = ${moved_to} WHERE shard = ${shard}`;

it('lets new shards begin at home, and in no other database', async () => {
  await startInstance(2);
  expect(await held()).toEqual({ home: [0, 1], b: [] });
  expect(await readShardRows(b)).toEqual([]);
});

it('takes a shard in the database that has it', async () => {
  await ensureShards(home, 2);
  await ensureShards(b, 2);
  await say(home, 1, 'b');
  await say(b, 0, 'home');
  await startInstance(2);
  expect(await held()).toEqual({ home: [0], b: [1] });
});

it('makes no new shard at home while another database knows one of which home has no row', async () => {
  await ensureShards(home, 1);
  await ensureShards(b, 2);
  await say(b, 0, 'home');
  await startInstance(3);
  // What is there is served meanwhile.
  await eventually('both are held', async () => (await held())['home']?.length === 1);
  expect((await readShardRows(home)).map(({ shard }) => shard)).toEqual([0]);
});

/** The values of a gauge, by database. */
async function byDatabase(name: string): Promise<Record<string, number>> {
  const found = (await metricsText()).matchAll(new RegExp(`^${name}{database="(\\w+)"} (\\S+)$`, 'gm'));
  return Object.fromEntries([...found].map(([, database, value]) => [database, Number(value)]));
}

it('tells of each database what is held there, since when it was not looked at, and how far the clock is off', async () => {
  await ensureShards(home, 2);
  await ensureShards(b, 2);
  await say(home, 1, 'b');
  await say(b, 0, 'home');
  await startInstance(2);
  expect(await byDatabase('ledger_database_shards')).toEqual({ home: 1, b: 1 });
  const { home: near, b: nearB } = await byDatabase('ledger_database_clock_offset_seconds');
  expect([near, nearB]).toEqual([expect.closeTo(0, 0), expect.closeTo(0, 0)]);
  const owner = new Client({ connectionString: files.ownerUrl });
  await owner.connect();
  await owner.query('BEGIN');
  await owner.query('LOCK TABLE ledger_shards IN ACCESS EXCLUSIVE MODE');
  const unseen = () => byDatabase('ledger_database_unseen_seconds');
  await eventually('home is looked at, and b is not', async () => {
    const { home: seen = 9, b: unanswered = 0 } = await unseen();
    return unanswered > 1.2 && seen < 1;
  });
  await owner.end();
  await eventually('b is looked at again', async () => ((await unseen())['b'] ?? 9) < 0.5);
});

it('takes a shard that two databases have only once one of them has given it up', async () => {
  await ensureShards(home, 2);
  await ensureShards(b, 2);
  await say(b, 0, 'home');
  await startInstance(2);
  await eventually('the other one is held', async () => (await held())['home']?.includes(0) ?? false);
  // Four looks, at each of which it could be taken.
  await delay(1_000);
  expect(await held()).toEqual({ home: [0], b: [] });
  await say(home, 1, 'b');
  await eventually('it is held where it is', async () => (await held())['b']?.includes(1) ?? false);
});
