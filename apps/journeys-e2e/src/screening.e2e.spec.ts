/** A payout to a listed address: held, then released or rejected by compliance, by the operator's commands. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import { Client, dataOf } from './client';
import { newClient, operatorOf } from './merchants';
import { ADDRESSES, balanceOf, openWallet } from './people';
import { Transaction } from './resources';

/** Of this run alone: other journeys go on beside it, and are screened by it as well. */
const LIST = `journey-${randomBytes(6).toString('hex')}`;
const LISTED = `0x${randomBytes(20).toString('hex')}`;
const WHO = ['--actor', 'Ada Obi', '--reason', 'case 7'];

interface Case {
  case: string;
  transaction: string;
  opened_by: string;
}

let folder: string;
let merchant: Client;
let wallet: string;

const screening = async <Result>(...args: string[]): Promise<Result> =>
  JSON.parse(await operatorOf().run(['screening', ...args, '--json'])) as Result;

function load(...addresses: string[]): Promise<unknown> {
  const file = join(folder, 'list.txt');
  writeFileSync(file, `# of a journey\n${addresses.join('\n')}\n`);
  return screening('load', file, '--name', LIST, ...WHO);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'screening-'));
  await load(LISTED);
  merchant = await newClient();
  wallet = (await openWallet(merchant, { currency: 'USDT', network: 'polygon' }, '100')).id;
});

afterAll(() => rmSync(folder, { recursive: true }));

const payTo = (address: string) =>
  dataOf(
    merchant.post<Transaction>('/payouts/wallets', { currency: 'USDT', amount: '10', network: 'polygon', address }),
  );
const lookUp = (transaction_id: string) =>
  dataOf(
    merchant.get<Transaction & { waiting_for: string | null }>(`/customers/transactions/by_txid/${transaction_id}`),
  );
const isHeld = (transaction_id: string) =>
  eventually('the payout is held', async () => (await lookUp(transaction_id)).waiting_for === 'screening');
const settled = (transaction_id: string, status: string) =>
  eventually(`the payout is ${status}`, async () => {
    const found = await lookUp(transaction_id);
    return found.status === status ? found : undefined;
  });
const caseOf = async ({ id }: Transaction, ...args: string[]): Promise<Case> => {
  const found = (await screening<Case[]>('cases', ...args)).find(({ transaction }) => transaction === id);
  if (!found) throw new Error(`there is no case of ${id}`);
  return found;
};

it('holds the money of a payout to a listed address until compliance releases it', async () => {
  const payout = await payTo(LISTED);
  await isHeld(payout.transaction_id);
  const held = await lookUp(payout.transaction_id);
  expect(held).toMatchObject({ status: 'PENDING', waiting_for: 'screening' });
  expect(JSON.stringify(held)).not.toContain(LIST);
  expect(await balanceOf(merchant, wallet)).toBe('90.00000000');
  const opened = await caseOf(payout);
  expect(opened.opened_by).toBe('screening');
  expect(await screening('decide', opened.case, '--release', ...WHO)).toMatchObject({ state: 'released' });
  expect(await settled(payout.transaction_id, 'COMPLETED')).toMatchObject({ waiting_for: null });
});

it('fails one that compliance rejects, and its money is back', async () => {
  const before = await balanceOf(merchant, wallet);
  const payout = await payTo(LISTED);
  await isHeld(payout.transaction_id);
  const opened = await caseOf(payout);
  await screening('decide', opened.case, '--reject', ...WHO);
  await settled(payout.transaction_id, 'FAILED');
  expect(await balanceOf(merchant, wallet)).toBe(before);
  expect(await operatorOf().run(['log', '--limit', '50', '--json'])).toContain('screening decide');
});

it('lets a payout to another address go, and finds it by a list that comes later', async () => {
  const address = ADDRESSES.erc20;
  const payout = await payTo(address);
  await settled(payout.transaction_id, 'COMPLETED');
  await load(LISTED, address);
  const opened = await eventually('the past was screened', () => caseOf(payout).catch(() => undefined));
  expect(opened.opened_by).toBe('list');
  expect(await lookUp(payout.transaction_id)).toMatchObject({ status: 'COMPLETED', waiting_for: null });
  await screening('decide', opened.case, '--release', ...WHO);
  await load(LISTED);
});

it('holds nothing by a list that is retired', async () => {
  await screening('retire', '--name', LIST, ...WHO);
  expect(await settled((await payTo(LISTED)).transaction_id, 'COMPLETED')).toMatchObject({ waiting_for: null });
  expect((await screening<{ name: string }[]>('lists')).map(({ name }) => name)).not.toContain(LIST);
});
