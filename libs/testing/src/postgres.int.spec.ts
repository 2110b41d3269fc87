import { Client } from 'pg';
import { connect } from 'node:net';
import { createTestDatabase } from './postgres';
import { eventually } from './eventually';
import { testNatsUrl } from './nats';

describe('the integration harness', () => {
  it('gives every caller a migrated database of its own, as the app role and as the owner', async () => {
    const [one, two] = await Promise.all([createTestDatabase('ledger'), createTestDatabase('ledger')]);
    try {
      await query(one.ownerUrl, 'CREATE TABLE only_here (id int)');
      expect(await query(one.url, 'SELECT current_user AS name')).toEqual([{ name: 'ledger_app' }]);
      expect(await query(two.ownerUrl, "SELECT to_regclass('only_here') AS found")).toEqual([{ found: null }]);
      expect(await query(one.ownerUrl, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
      // What a recovery after a crash begins with: with fsync, opening each of thousands of files took seconds.
      const bySystem = { recovery_init_sync_method: process.platform === 'linux' ? 'syncfs' : 'fsync' };
      expect(await query(one.ownerUrl, 'SHOW recovery_init_sync_method')).toEqual([bySystem]);
    } finally {
      await Promise.all([one.drop(), two.drop()]);
    }
  });

  it('has a NATS server with JetStream', async () => {
    const { hostname, port } = new URL(testNatsUrl());
    const greeting = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.once('data', (bytes) => {
        socket.destroy();
        resolve(String(bytes));
      });
      socket.once('error', reject);
    });
    expect(JSON.parse(greeting.slice('INFO '.length))).toMatchObject({ jetstream: true, auth_required: true });
  });

  it('has a NATS server that soon cuts off who answers no ping', async () => {
    const { hostname, port, username: user, password: pass } = new URL(testNatsUrl());
    const socket = connect(Number(port), hostname);
    let said = '';
    socket.on('data', (bytes) => (said += bytes.toString()));
    socket.write(`CONNECT ${JSON.stringify({ verbose: false, user, pass })}\r\nPING\r\n`);
    await eventually('it to be let in', () => said.includes('PONG'));
    await eventually('it to be cut off', () => said.includes("-ERR 'Stale Connection'"), { timeoutMs: 6_000 });
    socket.destroy();
  });
});

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
