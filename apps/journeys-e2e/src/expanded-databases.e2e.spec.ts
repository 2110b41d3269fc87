/**
 * During an upgrade the migrations come first: the running version works on databases that they have expanded. Here
 * this version works on its own databases after each table got everything that a migration may add: columns, indexes,
 * tables. It goes on without a restart, also starts on them, and its audits hold.
 */
import { eventually } from '@stablecoin/testing/eventually';
import { Client as Postgres } from 'pg';
import { audit, auditJson, rebuild } from './audit-command';
import { Client } from './client';
import { sandboxMerchant } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { createBusiness, createIndividual, deposit, openWallet } from './people';

const LATER = '20990101000000_later';
const BANK = { account_number: '0123456789', bank_code: '011', recipient_name: 'Ada' };
const PAIR = { from_currency: 'USD', to_currency: 'NGN' } as const;
const SERVICES = ['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout'] as const;

let own: OwnStack;
let merchant: Client;

beforeAll(async () => {
  own = await startOwnStack();
  merchant = sandboxMerchant(own.description);
}, 120_000);
afterAll(() => own?.stop(), 90_000);

/** What a later version's migrations might add, to every table that there is. */
async function expand(url: string): Promise<number> {
  const owner = new Postgres({ connectionString: url });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ table: string }>(
      `SELECT format('%I', tablename) AS table FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
    );
    for (const { table } of rows) {
      await owner.query(
        `ALTER TABLE ${table} ADD COLUMN later_note text, ADD COLUMN later_count integer NOT NULL DEFAULT 7`,
      );
      await owner.query(`CREATE INDEX CONCURRENTLY ON ${table} (later_count)`);
    }
    await owner.query('CREATE TABLE later (id integer PRIMARY KEY)');
    await owner.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES (gen_random_uuid(), 'later', $1, now())`,
      [LATER],
    );
    return rows.length;
  } finally {
    await owner.end();
  }
}

/** A customer with wallets, deposits, a swap and payouts of every outcome. */
async function journey(): Promise<void> {
  const [{ id: customer_id }] = await Promise.all([createIndividual(merchant), createBusiness(merchant)]);
  const dollars = await openWallet(merchant, { customer_id, currency: 'USD' }, '1000');
  await openWallet(merchant, { customer_id, currency: 'NGN' });
  await merchant.sdk.quotes.create({ customer_id, ...PAIR, amount: '100' });
  await merchant.sdk.swaps.execute({ customer_id, ...PAIR, amount: '100' });
  for (const [account_number, ends] of [
    ['0123456789', 'COMPLETED'],
    ['0123450001', 'FAILED'],
  ] as const) {
    const body = { customer_id, currency: 'USD', amount: '10', ...BANK, account_number } as const;
    const { transaction_id } = await merchant.sdk.payouts.createToBank(body);
    await eventually(`the payout is ${ends}`, async () => {
      return (await merchant.sdk.transactions.get(transaction_id)).status === ends;
    });
  }
  await merchant.sdk.webhooks.create({ url: 'https://hooks.example.com/a' });
  await deposit(merchant, dollars.id, '1');
  await merchant.sdk.wallets.list();
  await merchant.sdk.transactions.list({ customer_id, status: 'COMPLETED' });
  await merchant.sdk.events.list();
}

async function allReady(): Promise<void> {
  for (const service of SERVICES) {
    await eventually(
      `${service} is ready`,
      async () => (await fetch(`${own.description.operations_urls[service]}/ready`)).status === 200,
      { timeoutMs: 30_000 },
    );
  }
}

it('goes on working while its databases grow, and afterwards', async () => {
  await journey();
  let over = false;
  const meanwhile = (async () => {
    let done = 0;
    for (; !over || done === 0; done += 1) await journey();
    return done;
  })();
  const tables = await Promise.all(Object.values(own.description.owner_databases).map(expand));
  over = true;
  expect(Math.min(...tables)).toBeGreaterThan(3);
  expect(await meanwhile).toBeGreaterThan(0);
  await journey();
  await allReady();
}, 120_000);

it('starts on them as well', async () => {
  for (const service of SERVICES.slice(1)) process.kill(own.description.pids[service], 'SIGTERM');
  const { pids } = own.description;
  await eventually(
    'the old processes have ended',
    () => SERVICES.slice(1).every((service) => !isAlive(pids[service])),
    {
      timeoutMs: 20_000,
    },
  );
  await allReady();
  await journey();
}, 90_000);

it('and its audits hold: the log verifies, the projections equal a replay and can be made anew', async () => {
  for (const command of ['verify', 'replay']) {
    const { code, report } = await auditJson<{ ok: boolean }>(own.description, command);
    expect({ command, code, ok: report.ok }).toEqual({ command, code: 0, ok: true });
  }
  expect(await rebuild(own.description)).toMatchObject({ code: 0 });
  expect((await audit(own.description, 'export')).code).toBe(0);
}, 120_000);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
