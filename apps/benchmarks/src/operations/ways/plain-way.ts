import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { Client } from 'pg';
import { Deliveries, type DeliveryStatements } from './deliveries';
import { freshDatabase, type Servers, startProgram, type Way } from './way';

const API_KEY = 'plain';
const DELIVERIES: DeliveryStatements = {
  hold: `WITH endpoint AS (
      INSERT INTO endpoints (id, merchant_id, url, secret)
      SELECT gen_random_uuid(), merchant_id, $2, 'secret' FROM api_keys RETURNING id
    )
    INSERT INTO deliveries (id, event_id, endpoint_id, status, due_at)
    SELECT gen_random_uuid(), newest.id, endpoint.id, 'pending', now() + interval '1 day'
    FROM (SELECT id FROM events ORDER BY created_at DESC LIMIT $1::int) AS newest, endpoint`,
  release: `UPDATE deliveries SET due_at = now() WHERE status = 'pending'`,
  clear: ['DELETE FROM deliveries', 'DELETE FROM endpoints'],
};

/** What a team would write instead: see plain/. */
export async function plainWay({ postgresUrl }: Servers): Promise<Way> {
  const url = await freshDatabase(postgresUrl, 'plain');
  await createTables(url);
  const file = join(ROOT, 'dist/apps/benchmarks/src/operations/plain/plain.main.js');
  const program = await startProgram({ name: 'plain', file, env: { DATABASE_URL: url } });
  const deliveries = await Deliveries.in(url, DELIVERIES);
  return {
    ...{ name: 'plain', baseUrl: (await program.untilReady()).url as string, apiKey: API_KEY, deliveries },
    pids: { plain: program.pid as number },
    share: { processes: ['plain'], databases: ['plain'] },
    stop: async () => {
      await deliveries.close();
      await program.stop();
    },
  };
}

async function createTables(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(readFileSync(join(ROOT, 'apps/benchmarks/src/operations/plain/schema.sql'), 'utf8'));
    const hash = createHash('sha256').update(API_KEY).digest('hex');
    await client.query('INSERT INTO api_keys VALUES ($1, $2)', [hash, randomUUID()]);
  } finally {
    await client.end();
  }
}
