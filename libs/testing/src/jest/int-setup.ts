// Before the integration tests: one Postgres and one NATS server for the whole run, and the four migrated databases as
// templates, of which each test file gets its own copy (see ../postgres.ts).

import { installedNatsServer } from '@stablecoin/local-stack/nats-binary';
import { startThrowAwayStack } from '@stablecoin/local-stack/throw-away-stack';
import { Client } from 'pg';
import { keepStack } from './run-stack';

export default async function setup(): Promise<void> {
  const { description } = keepStack('int', await startThrowAwayStack({ withServices: false }));
  const { postgres_url: postgresUrl, nats_url: natsUrl, databases, auditor_database: auditorUrl } = description;
  if (postgresUrl === undefined) throw new Error('The stack of the tests has no Postgres of its own.');
  await makeTemplates(postgresUrl, Object.keys(databases));
  process.env['TEST_POSTGRES_URL'] = postgresUrl;
  process.env['TEST_NATS_URL'] = natsUrl;
  process.env['TEST_NATS_SERVER'] = installedNatsServer(process.env) ?? '';
  process.env['TEST_AUDITOR_URL'] = auditorUrl;
  process.env['TEST_APP_URLS'] = JSON.stringify(databases);
}

async function makeTemplates(postgresUrl: string, names: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    for (const name of names) await client.query(`ALTER DATABASE ${name} RENAME TO ${name}_template`);
  } finally {
    await client.end();
  }
}
