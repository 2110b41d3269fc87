// What a merchant does on the services, over HTTP: onboard a customer, deposit, swap, pay out, and see it settled.

import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../stack/paths.mjs';

const REQUEST_TIMEOUT_MS = 10_000;
const SETTLED_TIMEOUT_MS = 30_000;
const POLL_MS = 100;
/** What the tests make as well. */
const { individual, picture } = JSON.parse(readFileSync(join(ROOT, 'libs/testing/src/person.json'), 'utf8'));

/** `call(method, path, body?, key?)` resolves to {status, body}; `origins()` are the gateways that may be used now, in turns. */
export function merchantClient(origins, apiKey) {
  let turn = 0;
  return async (method, path, body, key = randomUUID()) => {
    const choices = origins();
    const origin = choices[(turn += 1) % choices.length];
    const headers = { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) };
    if (method === 'POST') headers['idempotency-key'] = key;
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
      signal,
    });
    return { status: response.status, body: await response.json() };
  };
}

export const person = () => ({
  ...individual,
  email: `${randomUUID()}@example.com`,
  phone: `+234${randomInt(10 ** 9, 10 ** 10)}`,
  documents: [{ doc_type: 'valid_ids', sub_type: 'front', doc_image: picture, doc_country: 'NG' }],
});

async function dataOf(answer) {
  const { status, body } = await answer;
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`);
  return body.data;
}

/** The whole way, once; resolves to {steps, wallet_id}. */
export async function journey(call) {
  const post = (path, body) => dataOf(call('POST', path, body));
  const get = (path) => dataOf(call('GET', path));
  const { id: customer_id } = await post('/individual-customers', person());
  const wallet = await post('/wallets', { customer_id, currency: 'USDT', network: 'trc20' });
  await post('/wallets', { customer_id, currency: 'NGN' });
  await post('/sandbox/deposits', { wallet_id: wallet.id, amount: '1000' });
  const pair = { customer_id, from_currency: 'USDT', to_currency: 'NGN', amount: '100' };
  await post('/instant-swaps', pair);
  const swap = await post('/swaps', pair);
  const payout = await post('/payouts/banks', { customer_id, currency: 'USDT', amount: '50', ...BANK });
  await untilSettled(() => get(`/customers/transactions/by_txid/${payout.transaction_id}`));
  assert.equal((await get(`/customers/transactions/by_ref_id/${swap.swapId}`)).length, 2);
  assert.equal((await get(`/wallets/${wallet.id}`)).balance, '850.00000000');
  return { customer_id, wallet_id: wallet.id };
}

export const BANK = {
  account_number: '0123456789',
  bank_name: 'First Bank',
  bank_code: '011',
  recipient_name: 'Ada Obi',
  recipient_currency: 'NGN',
  recipient_country: 'Nigeria',
};

async function untilSettled(look) {
  let status;
  for (const deadline = Date.now() + SETTLED_TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    ({ status } = await look());
    if (status === 'COMPLETED') return;
  }
  assert.fail(`the payout is still ${status} after ${SETTLED_TIMEOUT_MS / 1000} s`);
}
