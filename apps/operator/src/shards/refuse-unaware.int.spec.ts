import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { refuseUnaware } from './refuse-unaware';

let files: TestDatabase[];
let databases: { name: string; sql: LedgerDatabase }[];

beforeAll(async () => {
  files = await Promise.all([createTestDatabase('ledger'), createTestDatabase('ledger')]);
  databases = files.map(({ url }, index) => ({
    name: index === 0 ? 'home' : 'b',
    sql: new LedgerDatabase({ url, applicationName: 'test', poolSize: 1 }),
  }));
});
afterAll(async () => {
  await Promise.all(databases.map(({ sql }) => sql.$disconnect()));
  await Promise.all(files.map((one) => one.drop()));
});

const announce = (at: 0 | 1, instance: string) => (databases[at] as { sql: LedgerDatabase }).sql.$executeRaw`
  INSERT INTO ledger_instances (instance, joined_at, seen_at) VALUES (${instance}, now(), now() + interval '1 minute')`;

it('names the instances that would go on answering from home, until each works on the other database', async () => {
  await announce(0, 'one');
  await announce(0, 'two');
  await announce(1, 'two');
  await expect(refuseUnaware(databases, 'b')).rejects.toThrow(
    'one of wallet-ledger does not work on b, and would answer from what the shard leaves behind: start every instance in this version, ' +
      'with b in its LEDGER_DATABASES, and try again.',
  );
  await announce(1, 'one');
  await refuseUnaware(databases, 'b');
  await refuseUnaware(databases, 'home');
});
