import { eventually } from '@stablecoin/testing/eventually';
import { auditorUrl, createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { Client } from 'pg';
import { withLedger } from './ledger';

let files: TestDatabase;
let owner: Client;
beforeAll(async () => {
  files = await createTestDatabase('ledger');
  owner = new Client({ connectionString: files.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await files.drop();
});

async function sleeping(): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND usename = 'ledger_auditor' AND query LIKE '%pg_sleep%'`,
  );
  return Number(rows[0]?.count);
}

const until = (count: number) =>
  eventually(`${count} statements that sleep`, async () => (await sleeping()) === count, { timeoutMs: 15_000 });

// What the database sees of a process that was killed is that its connection ends.
it('a statement ends in the database soon after the process that has sent it', async () => {
  const { proxy, through } = await TcpProxy.inFrontOf(auditorUrl(files));
  try {
    const ended = withLedger({ AUDIT_DATABASE_URL: through }, (ledger) => ledger.$queryRaw`SELECT pg_sleep(60)::text`);
    const failed = expect(ended).rejects.toThrow('No answer from');
    await until(1);
    for (const passage of proxy.open()) passage.cut();
    await failed;
    await until(0);
  } finally {
    await proxy.close();
  }
}, 40_000);
