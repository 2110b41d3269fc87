/**
 * Those whose money and data are at stake: a merchant with customers, a document, payouts and a webhook; one who attacks; and one
 * with live keys.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import { BANK, FREE_TEXTS, journey } from '@stablecoin/testing/journey';
import { dataOf, MerchantClient, successOf } from '@stablecoin/testing/merchant-client';
import type { OperatorProcess } from '@stablecoin/testing/operator-process';
import type { CreatedMerchant } from '@stablecoin/testing/operator-command';
import { individualWithDocument } from '@stablecoin/testing/person';

/** On a list of the operator's. A payout of Ada's to it is held. */
export const LISTED_ADDRESS = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
/** On another one. A customer of Ada's has it. */
const LISTED_NAME = 'Viktor Listedov';
const PROVEN_WITHIN = { timeoutMs: 30_000, pollMs: 100 };

interface Identified {
  id: string;
}

export interface Person {
  merchantId: string;
  client: MerchantClient;
  /** Of the customer, with money in its wallet. */
  customerId: string;
  walletId: string;
  /** Of a completed deposit. */
  depositId: string;
  /** Of a completed bank payout. */
  payoutId: string;
  payoutTransactionId: string;
  /** Of the ledger, where all of this is. */
  shard: number;
}

/** A payout of Ada's that the screening holds, and a customer of hers whose name it holds. */
export interface Held {
  payoutId: string;
  customerId: string;
}

export interface Erased {
  customerId: string;
  walletId: string;
}

export interface People {
  /** Whose money and data are at stake. */
  ada: Person;
  /** Who attacks. */
  mallory: Person;
  /**
   * Of the attacker's keys: one that may only read, one for an address that is not his, one that was revoked, and one that was
   * revoked after the backup.
   */
  keys: Record<'readOnly' | 'ofAnotherAddress' | 'revoked' | 'revokedSince', string>;
  /** With live keys: a customer, wallets, no money. */
  live: Omit<Person, 'depositId' | 'payoutId' | 'payoutTransactionId'>;
  held: Held;
  /** A customer of Ada's who is erased after the backup, with a wallet that was never used. */
  erased: Erased;
  /** What may be found nowhere in clear. */
  secrets: readonly string[];
}

export async function createPeople(
  baseUrl: string,
  operator: OperatorProcess,
  shardOf: (merchantId: string) => Promise<number>,
): Promise<People> {
  const created = async (...flags: string[]) =>
    JSON.parse(await operator.run(['merchants', 'create', '--name', 'a merchant', ...flags])) as CreatedMerchant;
  await loadList(operator, ADDRESSES);
  const [ada, mallory, live] = [await created(), await created(), await created('--live')];
  await loadList(operator, NAMES);
  const addKey = async (...flags: string[]) => {
    const made = await operator.run(['merchants', 'add-key', '--merchant', mallory.merchant_id, ...flags]);
    return (JSON.parse(made) as { api_key: string }).api_key;
  };
  const keys = {
    readOnly: await addKey('--scopes', 'read'),
    ofAnotherAddress: await addKey('--scopes', 'payout', '--allow-from', '192.0.2.1'),
    revoked: await addKey('--scopes', 'payout'),
    revokedSince: await addKey('--scopes', 'payout'),
  };
  await revokeKey(mallory.merchant_id, keys.revoked, operator);
  const travelledAda = await travelled(baseUrl, ada, shardOf);
  const held = { payoutId: (await heldPayout(travelledAda)).id, customerId: await heldCustomer(travelledAda) };
  return {
    keys,
    held,
    erased: await customerToErase(travelledAda),
    ada: travelledAda,
    mallory: await travelled(baseUrl, mallory, shardOf),
    live: await withWallet(baseUrl, live, shardOf),
    // As the journey and its person have them.
    secrets: [
      ...['Marina Road', 'example.com', '1990-05-17', ...Object.values(FREE_TEXTS)],
      ...[BANK.account_number, BANK.recipient_name, BANK.bank_name, BANK.recipient_country],
    ],
  };
}

interface ScreeningList {
  name: string;
  format: string;
  text: string;
}
const ADDRESSES = { name: 'listed', format: 'addresses', text: `${LISTED_ADDRESS}\n` };
const NAMES = {
  ...{ name: 'named', format: 'opensanctions-csv' },
  text: `id,schema,name,aliases,identifiers\nQ1,Person,${LISTED_NAME},,\n`,
};

async function loadList(operator: OperatorProcess, { name, format, text }: ScreeningList): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'forgery-'));
  try {
    const file = join(folder, 'list');
    writeFileSync(file, text);
    const by = ['--name', name, '--format', format, '--actor', 'ada', '--reason', 'case 1'];
    await operator.run(['screening', 'load', file, ...by]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns once the screening holds it */
export async function heldPayout({ client, customerId }: Pick<Person, 'client' | 'customerId'>): Promise<Identified> {
  const body = { customer_id: customerId, currency: 'USDT', amount: '1', network: 'polygon', address: LISTED_ADDRESS };
  const { id, transaction_id } = await dataOf(
    client.post<Identified & { transaction_id: string }>('/payouts/wallets', body),
  );
  await eventually('the payout is held', async () => {
    const path = `/customers/transactions/by_txid/${transaction_id}`;
    return (await dataOf(client.get<{ waiting_for: string | null }>(path))).waiting_for === 'screening';
  });
  return { id };
}

async function heldCustomer({ client }: Pick<Person, 'client'>): Promise<string> {
  const [first_name, last_name] = LISTED_NAME.split(' ');
  const body = { ...individualWithDocument(), first_name, last_name };
  return (await dataOf(client.post<Identified>('/individual-customers', body))).id;
}

async function customerToErase({ client }: Pick<Person, 'client'>): Promise<Erased> {
  const { id: customerId } = await dataOf(client.post<Identified>('/individual-customers', individualWithDocument()));
  const wallet = { customer_id: customerId, currency: 'NGN', description: FREE_TEXTS.description };
  return { customerId, walletId: (await dataOf(client.post<Identified>('/wallets', wallet))).id };
}

export const revokeKey = (merchantId: string, key: string, operator: OperatorProcess) =>
  operator.run(['merchants', 'revoke-key', '--merchant', merchantId, '--key', key]);

export async function eraseCustomer({ ada, erased }: Pick<People, 'ada' | 'erased'>, operator: OperatorProcess) {
  await successOf(ada.client.post(`/customers/${erased.customerId}/close`, {}));
  const of = ['--merchant', ada.merchantId, '--customer', erased.customerId];
  await operator.run(['customers', 'erase', ...of, '--reason', 'case 5']);
}

const clientOf = (baseUrl: string, { api_key: apiKey }: CreatedMerchant) =>
  new MerchantClient({ baseUrl, apiKey, drawsIdempotencyKeys: true });

type ShardOf = (merchantId: string) => Promise<number>;

async function travelled(baseUrl: string, merchant: CreatedMerchant, shardOf: ShardOf): Promise<Person> {
  const client = clientOf(baseUrl, merchant);
  const { customer_id: customerId, wallet_id: walletId } = await journey(client.ask);
  const path = `/customers/transactions/by_customer_id/${customerId}`;
  const transactions = await dataOf(
    client.get<(Identified & { transaction_type: string; transaction_id: string })[]>(path),
  );
  const payout = transactions.find(({ transaction_type }) => transaction_type === 'PAYOUT');
  const deposit = transactions.find(({ transaction_type }) => transaction_type === 'DEPOSIT');
  if (!payout || !deposit) throw new Error('the journey left no payout, or no deposit');
  await eventually(
    'a proof of the payout',
    async () => (await client.get(`/audit/proofs/${payout.transaction_id}`)).status === 200,
    PROVEN_WITHIN,
  );
  const ids = { depositId: deposit.id, payoutId: payout.id, payoutTransactionId: payout.transaction_id };
  const shard = await shardOf(merchant.merchant_id);
  return { merchantId: merchant.merchant_id, client, customerId, walletId, shard, ...ids };
}

async function withWallet(baseUrl: string, merchant: CreatedMerchant, shardOf: ShardOf): Promise<People['live']> {
  const client = clientOf(baseUrl, merchant);
  const { id: customerId } = await dataOf(client.post<Identified>('/individual-customers', individualWithDocument()));
  const { id: walletId } = await dataOf(
    client.post<Identified>('/wallets', { customer_id: customerId, currency: 'NGN' }),
  );
  await successOf(client.post('/wallets', { customer_id: customerId, currency: 'USDT', network: 'trc20' }));
  return { merchantId: merchant.merchant_id, client, customerId, walletId, shard: await shardOf(merchant.merchant_id) };
}
