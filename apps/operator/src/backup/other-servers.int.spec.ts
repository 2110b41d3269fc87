import { OwnPostgres } from '@stablecoin/testing/own-postgres';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { databasesElsewhere, refuseUnlessSaid } from './other-servers';

let home: TestDatabase;
let beside: TestDatabase;
let other: OwnPostgres;

beforeAll(async () => {
  [home, beside, other] = await Promise.all([
    createTestDatabase('ledger'),
    createTestDatabase('ledger'),
    OwnPostgres.start('ledger'),
  ]);
}, 60_000);
afterAll(() => Promise.all([home.drop(), beside.drop(), other.stop()]));

it('are those that another server has, or that does not answer', async () => {
  const gone = 'postgresql://ledger_app:x@127.0.0.1:1/ledger';
  const databases = `b=${beside.ownerUrl},c=${other.urls.owner},d=${gone}`;
  expect(await databasesElsewhere({ LEDGER_MIGRATION_DATABASES: databases }, home.ownerUrl)).toEqual(['c', 'd']);
  expect(await databasesElsewhere({ LEDGER_DATABASES: `c=${other.urls.app}` }, home.ownerUrl)).toEqual(['c']);
  expect(await databasesElsewhere({}, home.ownerUrl)).toEqual([]);
});

it('are left out of a backup only where that is said', () => {
  expect(() => refuseUnlessSaid(['c', 'd'], ['c', 'd'])).not.toThrow();
  expect(() => refuseUnlessSaid(['c', 'd'], ['d'])).toThrow(
    "The ledger's database c is on another server, which this does not copy: back it up where it runs, with pg_basebackup, " +
      'and say --without c.',
  );
});
