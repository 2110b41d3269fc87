// Before the integration tests: one Postgres and one NATS server for the whole run, and the four migrated databases as
// templates, of which each test file gets its own copy (see ../postgres.ts).

import pg from 'pg';
import { obtainNatsServer } from '../../../../tools/stack/nats-binary.mjs';
import { startThrowAwayStack } from './stack-process.mjs';

export default async function setup() {
  const stack = await startThrowAwayStack({ flags: ['--infrastructure'] });
  globalThis.integrationStack = stack;
  const { postgres_url: postgresUrl, nats_url: natsUrl, databases, auditor_database: auditorUrl } = stack.description;
  await makeTemplates(postgresUrl, Object.keys(databases));
  process.env.TEST_POSTGRES_URL = postgresUrl;
  process.env.TEST_NATS_URL = natsUrl;
  process.env.TEST_NATS_SERVER = await obtainNatsServer(process.env, () => undefined);
  process.env.TEST_AUDITOR_URL = auditorUrl;
  process.env.TEST_APP_URLS = JSON.stringify(databases);
}

async function makeTemplates(postgresUrl, names) {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    for (const name of names) await client.query(`ALTER DATABASE ${name} RENAME TO ${name}_template`);
  } finally {
    await client.end();
  }
}
