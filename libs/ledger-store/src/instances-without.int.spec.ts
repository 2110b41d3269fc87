import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { instancesWithout } from './instances-without';
import { LedgerDatabase } from './ledger-database';

let files: TestDatabase[];
let databases: [LedgerDatabase, LedgerDatabase];

beforeAll(async () => {
  files = await Promise.all([createTestDatabase('ledger'), createTestDatabase('ledger')]);
  const [home, b] = files.map(({ url }) => new LedgerDatabase({ url, applicationName: 'test', poolSize: 1 }));
  databases = [home as LedgerDatabase, b as LedgerDatabase];
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.$disconnect()));
  await Promise.all(files.map((one) => one.drop()));
});

const announce = (sql: LedgerDatabase, instance: string, secondsAgo = 0) => sql.$executeRaw`
  INSERT INTO ledger_instances (instance, joined_at, seen_at)
  VALUES (${instance}, now(), now() - make_interval(secs => ${secondsAgo}))`;

it('are those that are alive at home and not on the other one', async () => {
  const [home, b] = databases;
  await announce(home, 'new');
  await announce(b, 'new');
  await announce(home, 'of a version before');
  await announce(home, 'gone', 60);
  await announce(home, 'lost its connection to b');
  await announce(b, 'lost its connection to b', 60);
  expect(await instancesWithout(home, b)).toEqual(['lost its connection to b', 'of a version before']);
  await home.$executeRaw`DELETE FROM ledger_instances WHERE instance <> 'new'`;
  expect(await instancesWithout(home, b)).toEqual([]);
});
