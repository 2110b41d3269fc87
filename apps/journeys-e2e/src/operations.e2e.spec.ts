import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import { TestStack } from '@stablecoin/testing/stack';
import { Client as Postgres } from 'pg';
import { sandboxMerchant } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';

type Service = keyof TestStack['operations_urls'];
interface Report {
  ready: boolean;
  phase: string;
  checks: Record<string, { ok: boolean; why?: string }>;
}

const CHECKS: Record<Service, string[]> = {
  gateway: ['bus'],
  customer: ['bus', 'database', 'key_management', 'migrations'],
  'wallet-ledger': ['bus', 'clock', 'database', 'migrations', 'shards'],
  'swap-pricing': ['bus', 'database', 'migrations'],
  payout: ['bus', 'database', 'key_management', 'migrations'],
};
const SERVICES = Object.keys(CHECKS) as Service[];
const ANSWER_WITHIN_MS = 1_500;

let own: OwnStack;

beforeAll(async () => {
  own = await startOwnStack({ DRAIN_LEAD_MS: '2000' });
}, 120_000);
afterAll(() => own?.stop(), 90_000);

async function ask(service: Service, path: string) {
  const startedAt = Date.now();
  const response = await fetch(own.description.operations_urls[service] + path);
  return { status: response.status, body: (await response.json()) as Report, ms: Date.now() - startedAt };
}

const brokenChecks = ({ checks }: Report) => Object.keys(checks).filter((name) => !checks[name]?.ok);

/** Of the service as it runs now: the description names those that it was started with. */
function pidOf(service: Service): number {
  const lines = readFileSync(join(own.description.data_dir, 'logs', `${service}.log`), 'utf8').split('\n');
  const started = lines.filter((line) => line.includes('"message":"started"')).at(-1);
  return (JSON.parse(started ?? '{}') as { pid: number }).pid;
}

/** The server's process with those that it started: Postgres answers each connection in one of its own. */
function processesOf(server: 'nats' | 'postgres'): number[] {
  const parent = own.description.pids[server];
  const children = readdirSync('/proc').filter((entry) => {
    try {
      return readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] === String(parent);
    } catch {
      return false; // Not a process, or not any more.
    }
  });
  return [parent, ...children.map(Number)];
}

async function whileHanging(server: 'nats' | 'postgres', work: () => Promise<void>): Promise<void> {
  const pids = processesOf(server);
  const signal = (name: NodeJS.Signals) => pids.forEach((pid) => process.kill(pid, name));
  signal('SIGSTOP');
  try {
    await work();
  } finally {
    signal('SIGCONT');
  }
}

it.each(SERVICES)('%s is live and ready, and names its checks', async (service) => {
  expect(await ask(service, '/live')).toMatchObject({ status: 200, body: { live: true } });
  const { status, body } = await ask(service, '/ready');
  const checks = Object.fromEntries((CHECKS[service] ?? []).map((name) => [name, { ok: true }]));
  expect([status, body]).toEqual([200, { ready: true, phase: 'serving', checks }]);
});

it('a shard without an owner makes the ledger unready, and no other service', async () => {
  const owner = new Postgres({ connectionString: own.description.owner_databases.ledger });
  await owner.connect();
  try {
    // Reserved for maintenance: the instance that holds it hands it over, and no other instance takes it.
    await owner.query(`UPDATE ledger_shards SET reserved_until = now() + interval '1 hour' WHERE shard = 1`);
    const report = await eventually('the shard is missed', async () => {
      const { status, body } = await ask('wallet-ledger', '/ready');
      return status === 503 && body;
    });
    expect(report.checks['shards']).toEqual({ ok: false, why: 'without an owner: 1' });
    expect((await ask('payout', '/ready')).status).toBe(200);
    await owner.query('UPDATE ledger_shards SET reserved_until = NULL');
    await eventually('it is ready again', async () => (await ask('wallet-ledger', '/ready')).status === 200);
  } finally {
    await owner.end();
  }
});

it.each([
  ['customer', 'customer'],
  ['wallet-ledger', 'ledger'],
  ['swap-pricing', 'swap'],
  ['payout', 'payout'],
] as const)(
  '%s whose database lacks a migration is live, not ready, and names it, until it is applied',
  async (service, name) => {
    const owner = new Postgres({ connectionString: own.description.owner_databases[name] });
    await owner.connect();
    try {
      const { rows } = await owner.query<{ name: string }>(
        'SELECT max(migration_name) AS name FROM _prisma_migrations',
      );
      const migration = rows[0]?.name as string;
      const rename = (to: string, from: string) =>
        owner.query('UPDATE _prisma_migrations SET migration_name = $1 WHERE migration_name = $2', [to, from]);
      await rename('not yet', migration);
      process.kill(pidOf(service), 'SIGTERM');
      const report = await eventually('its successor misses it', async () => {
        const { status, body } = await ask(service, '/ready');
        return status === 503 && body.phase === 'serving' && body;
      });
      expect(report.checks['migrations']).toEqual({ ok: false, why: `lack ${migration}: run the migrations` });
      expect(brokenChecks(report)).toEqual(['migrations']);
      expect((await ask(service, '/live')).status).toBe(200);
      await rename(migration, 'not yet');
      await eventually('it is ready', async () => (await ask(service, '/ready')).status === 200);
    } finally {
      await owner.end();
    }
  },
  60_000,
);

it.each([
  ['the broker', 'nats', SERVICES, 'bus'],
  ['the database server', 'postgres', SERVICES.filter((service) => service !== 'gateway'), 'database'],
] as const)(
  'while %s hangs those that need it are live, not ready, and say so in time',
  async (_, server, needing, check) => {
    await whileHanging(server, async () => {
      for (const service of needing) {
        const { body } = await eventually(`${service} is not ready`, async () => {
          const answer = await ask(service, '/ready');
          return answer.status === 503 && answer;
        });
        expect(brokenChecks(body)).toContain(check);
        expect((await ask(service, '/ready')).ms).toBeLessThan(ANSWER_WITHIN_MS);
        expect((await ask(service, '/live')).status).toBe(200);
      }
      const others = SERVICES.filter((service) => !(needing as readonly string[]).includes(service));
      for (const service of others) expect((await ask(service, '/ready')).status).toBe(200);
    });
    for (const service of needing) {
      await eventually(`${service} is ready again`, async () => (await ask(service, '/ready')).status === 200, {
        timeoutMs: 30_000,
      });
    }
  },
  90_000,
);

it('a service that stops is unready first, and live until it has drained', async () => {
  await whileHanging('postgres', async () => {
    process.kill(pidOf('wallet-ledger'), 'SIGTERM');
    const report = await eventually('it drains', async () => {
      const { body } = await ask('wallet-ledger', '/ready');
      return body.phase === 'draining' && body;
    });
    expect(report.ready).toBe(false);
    expect((await ask('wallet-ledger', '/live')).status).toBe(200);
  });
  await eventually('its successor is ready', async () => (await ask('wallet-ledger', '/ready')).status === 200, {
    timeoutMs: 30_000,
  });
}, 60_000);

it('a gateway that stops is unready first, while it still answers merchants', async () => {
  process.kill(pidOf('gateway'), 'SIGTERM');
  const report = await eventually('it drains', async () => {
    const { status, body } = await ask('gateway', '/ready');
    return status === 503 && body.phase === 'draining' && body;
  });
  expect(brokenChecks(report)).toEqual([]);
  const merchant = sandboxMerchant(own.description);
  expect((await merchant.get('/customers')).status).toBe(200);
  expect((await ask('gateway', '/live')).status).toBe(200);
  await eventually('its successor is ready', async () => (await ask('gateway', '/ready')).body.phase === 'serving', {
    timeoutMs: 30_000,
  });
}, 60_000);
