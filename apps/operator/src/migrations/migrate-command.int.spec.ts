import { PassThrough } from 'node:stream';
import { DATABASES, DatabaseName, migrationUrlVariable, urlVariable } from '@stablecoin/migrations/databases';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { checkoutOperator } from '../checkout-operator';

const databases = new Map<DatabaseName, TestDatabase>();

beforeAll(async () => {
  for (const name of DATABASES) databases.set(name, await createTestDatabase(name));
});
afterAll(async () => {
  for (const database of databases.values()) await database.drop();
});

const ownerUrlOf = (name: DatabaseName) => databases.get(name)?.ownerUrl;
/** All six databases, each under its variable. */
const environment = (variableOf: (name: DatabaseName) => string): NodeJS.ProcessEnv => ({
  DATA_DIR: '/nonexistent/data',
  ...Object.fromEntries(DATABASES.map((name) => [variableOf(name), ownerUrlOf(name)])),
});

async function migrated(env: NodeJS.ProcessEnv, ...names: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await checkoutOperator(env, stdout, stderr).run(['migrate', ...names, '--json']);
  const results = JSON.parse(String(stdout.read())) as { database: string; applied: string[]; newer: string[] }[];
  return { code, databases: results.map(({ database }) => database), changes: results.flatMap(changesOf) };
}

const changesOf = ({ applied, newer }: { applied: string[]; newer: string[] }) => [...applied, ...newer];

it.each([
  ['all of them', []],
  ['the one that is named', ['ledger']],
  ['those that are named, in their order', ['swap', 'customer']],
])('brings %s up to date', async (_which, names) => {
  const expected = names.length > 0 ? names : [...DATABASES];
  expect(await migrated(environment(migrationUrlVariable), ...names)).toEqual({
    code: 0,
    databases: expected,
    changes: [],
  });
});

it('brings further databases of the ledger up to date, each by its name', async () => {
  const further = await createTestDatabase('ledger');
  try {
    const env = { ...environment(migrationUrlVariable), LEDGER_MIGRATION_DATABASES: `b=${further.ownerUrl}` };
    expect(await migrated(env, 'ledger')).toEqual({ code: 0, databases: ['ledger', 'ledger'], changes: [] });
  } finally {
    await further.drop();
  }
});

it('uses the service’s own login if no owner is named', async () => {
  expect(await migrated(environment(urlVariable), 'payout')).toMatchObject({ code: 0, databases: ['payout'] });
});
