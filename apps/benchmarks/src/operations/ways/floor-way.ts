import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import type { ServiceProcess } from '@stablecoin/local-stack/service-process';
import { Deliveries, type DeliveryStatements } from './deliveries';
import { freshDatabase, type Servers, startProgram, type Way } from './way';

const API_KEY = 'floor';
/** Each with a database of its own; the ledger first, whose stream the others listen to. */
const ROLES = ['ledger', 'payout', 'customer', 'swap'] as const;
const DELIVERIES: DeliveryStatements = {
  hold: `WITH endpoint AS (INSERT INTO webhook_endpoints VALUES (gen_random_uuid(), $2, 'secret') RETURNING id)
    INSERT INTO event_deliveries (id, event_id, endpoint_id, status, next_attempt_at)
    SELECT gen_random_uuid(), newest.id, endpoint.id, 'pending', now() + interval '1 day'
    FROM (SELECT id FROM events ORDER BY number DESC LIMIT $1::int) AS newest, endpoint`,
  release: `UPDATE event_deliveries SET next_attempt_at = now() WHERE status = 'pending'`,
  clear: ['DELETE FROM event_deliveries', 'DELETE FROM webhook_endpoints'],
};

/** The least that does the same: see floor/. */
export async function floorWay({ postgresUrl, natsUrl }: Servers): Promise<Way> {
  const started = new Map<string, ServiceProcess>();
  const start = async (role: string, env: NodeJS.ProcessEnv) => {
    const file = join(ROOT, `dist/apps/benchmarks/src/operations/floor/${role}.main.js`);
    const program = await startProgram({ name: `floor ${role}`, file, env: { NATS_URL: natsUrl, ...env } });
    started.set(`floor ${role}`, program);
    return program;
  };
  const urls = new Map<string, string>();
  for (const role of ROLES) {
    const url = await freshDatabase(postgresUrl, `floor_${role}`);
    urls.set(role, url);
    await start(role, { DATABASE_URL: url });
  }
  const gateway = await start('gateway', { API_KEY });
  const deliveries = await Deliveries.in(urls.get('customer') as string, DELIVERIES);
  return {
    ...{ name: 'floor', baseUrl: (await gateway.untilReady()).url as string, apiKey: API_KEY, deliveries },
    pids: Object.fromEntries([...started].map(([name, { pid }]) => [name, pid as number])),
    share: { processes: [...started.keys(), 'nats'], databases: ROLES.map((role) => `floor_${role}`) },
    stop: async () => {
      await deliveries.close();
      for (const program of [...started.values()].reverse()) await program.stop();
    },
  };
}
