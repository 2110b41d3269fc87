/**
 * A backup is taken under load, everything is killed some time later, and the backup is restored into an empty folder:
 * all that was answered before the backup's end is there, the log verifies, and work goes on. The broker's data isn't
 * restored: the ledger's log fills the stream again.
 */
import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bundledMain } from '@stablecoin/local-stack/service-process';
import { eventually } from '@stablecoin/testing/eventually';
import { audit, auditJson } from './audit-command';
import { Client } from './client';
import { newClient, ROOT } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { balanceOf, createIndividual, deposit, openWallet } from './people';
import { Customer, Wallet } from './resources';

const BANK = { account_number: '0123456789', bank_code: '011', recipient_name: 'Ada' };
const MERCHANTS = 3;
const COMMAND_TIMEOUT_MS = 120_000;

interface Acknowledged {
  id: string;
  at: number;
}

interface Merchant {
  client: Client;
  wallet: Wallet;
  acknowledged: Acknowledged[];
}

let own: OwnStack;
let folder: string;
let merchants: Merchant[];
let customer: Customer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  chmodSync(folder, 0o711);
  own = await startOwnStack();
  merchants = [];
  for (let index = 0; index < MERCHANTS; index += 1) {
    const client = await newClient([], own.description);
    merchants.push({ client, wallet: await openWallet(client, { currency: 'USD' }, '100000'), acknowledged: [] });
  }
  customer = await createIndividual((merchants[0] as Merchant).client);
}, 120_000);

afterAll(async () => {
  await own?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 90_000);

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** The operator's command, as npm run backup and npm run restore do it. */
function tool(name: 'backup' | 'restore', dataDir: string, ...args: string[]): Promise<Run> {
  const options = { cwd: ROOT, env: { ...process.env, DATA_DIR: dataDir }, timeout: COMMAND_TIMEOUT_MS };
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [bundledMain('operator'), name, ...args],
      options,
      (_error, stdout, stderr) => done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** Makes deposits and payouts of every merchant until it is stopped; keeps each that was answered. */
function load(): () => Promise<unknown> {
  const state = { working: true };
  const work = async ({ client, wallet, acknowledged }: Merchant) => {
    for (let turn = 0; state.working; turn += 1) {
      const payout = { currency: 'USD', amount: '1', ...BANK } as const;
      const asked = turn % 2 === 0 ? deposit(client, wallet.id, '2') : client.sdk.payouts.createToBank(payout);
      const { id } = await asked;
      acknowledged.push({ id, at: Date.now() });
      await delay(10);
    }
  };
  const underWay = Promise.all(merchants.flatMap((merchant) => [work(merchant), work(merchant)]));
  return () => {
    state.working = false;
    return underWay;
  };
}

const written = () => merchants.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
const more = (count: number) => {
  const from = written();
  return eventually(`${count} more writes`, () => written() >= from + count, { timeoutMs: 30_000 });
};

async function statusOf({ client }: Merchant, id: string): Promise<string> {
  const { data: found } = await client.sdk.transactions.list({ search: id });
  return found.find((transaction) => transaction.id === id)?.status ?? 'missing';
}

it('a backup under load restores everything that was answered before its end', async () => {
  const stopLoad = load();
  await more(30);
  const backup = join(folder, 'backup');
  const { code, stdout, stderr } = await tool('backup', own.description.data_dir, '--to', backup, '--json');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const endedAt = Date.parse((JSON.parse(stdout) as { ended_at: string }).ended_at);
  await more(30);
  await stopLoad();

  expect(readdirSync(backup).sort()).toEqual(['backup.json', 'backup.sealed', 'postgres']);
  const keys = join(folder, 'kept-elsewhere.json');
  copyFileSync(join(own.description.data_dir, 'secrets.json'), keys);
  const apiKeys = merchants.map(({ client }) => client.apiKey);
  await own.kill();
  await own.stop();

  const dataDir = join(folder, 'restored');
  const withoutKeys = await tool('restore', dataDir, '--from', backup);
  expect(withoutKeys).toMatchObject({ code: 1, stderr: expect.stringContaining('--keys') as unknown });
  expect(await tool('restore', dataDir, '--from', backup, '--keys', keys)).toMatchObject({ code: 0 });
  const over = await tool('restore', dataDir, '--from', backup, '--keys', keys);
  expect(over).toMatchObject({ code: 1, stderr: expect.stringContaining('There is data in') as unknown });

  expect(existsSync(join(dataDir, 'nats', 'jetstream'))).toBe(false);
  own = await startOwnStack({ DATA_DIR: dataDir });
  merchants.forEach((merchant, index) => {
    merchant.client = new Client(own.description.base_url, apiKeys[index]);
  });
  await everythingProves();
  const promised = merchants.flatMap((merchant) =>
    merchant.acknowledged.filter(({ at }) => at < endedAt).map(({ id }) => ({ merchant, id })),
  );
  expect(promised.length).toBeGreaterThan(30);
  for (const { merchant, id } of promised) expect([id, await statusOf(merchant, id)]).not.toEqual([id, 'missing']);
  await workGoesOn();
  await everythingProves();
}, 300_000);

async function everythingProves(): Promise<void> {
  const verified = await auditJson<{ ok: boolean }>(own.description, 'verify');
  expect(verified).toMatchObject({ code: 0 });
  expect(await audit(own.description, 'replay')).toMatchObject({ code: 0 });
}

/** Personal data can be read, money moves, and payouts settle, for which their facts have to arrive. */
async function workGoesOn(): Promise<void> {
  const [merchant] = merchants as [Merchant];
  const read = await merchant.client.sdk.customers.get(customer.id);
  expect(read).toMatchObject({ id: customer.id });
  const before = Number(await balanceOf(merchant.client, merchant.wallet.id));
  await deposit(merchant.client, merchant.wallet.id, '7');
  expect(Number(await balanceOf(merchant.client, merchant.wallet.id))).toBeGreaterThanOrEqual(before + 7);
  const payout = { currency: 'USD', amount: '1', ...BANK } as const;
  const { id } = await merchant.client.sdk.payouts.createToBank(payout);
  await eventually('a new payout to settle', async () => (await statusOf(merchant, id)) === 'COMPLETED', {
    timeoutMs: 30_000,
  });
  await eventually(
    'every payout from before to settle',
    async () => {
      const pending = merchants.map(({ client }) => client.sdk.transactions.list({ status: 'PENDING', limit: 1 }));
      return (await Promise.all(pending)).every(({ data }) => data.length === 0);
    },
    { timeoutMs: 30_000 },
  );
}

it('a backup that was changed, or cut short, is refused', async () => {
  const backup = join(folder, 'backup');
  const dataDir = join(folder, 'never');
  const keys = join(folder, 'kept-elsewhere.json');
  writeFileSync(join(backup, 'postgres', 'PG_VERSION'), '17\n');
  expect(await tool('restore', dataDir, '--from', backup, '--keys', keys)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('damaged or forged: postgres/PG_VERSION') as unknown,
  });
  rmSync(join(backup, 'backup.json'));
  expect(await tool('restore', dataDir, '--from', backup, '--keys', keys)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no backup') as unknown,
  });
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
}, 60_000);
