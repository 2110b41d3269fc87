/** What a merchant does, once the whole way: onboard a customer, deposit, swap, pay out, and see it settled. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Ask, dataOf } from './merchant-client';
import { individualWithDocument } from './person';

const SETTLED_TIMEOUT_MS = 30_000;
const POLL_MS = 100;

/** A bank account in Nigeria, which the sandbox's bank pays to. */
export const BANK = {
  account_number: '0123456789',
  bank_name: 'First Bank',
  bank_code: '011',
  recipient_name: 'Ada Obi',
  recipient_currency: 'NGN',
  recipient_country: 'Nigeria',
};
/** What a merchant and a sender write, which may name anybody. */
export const FREE_TEXTS = { description: 'For the rent of Ada', reference: 'From Bea to Ada' };
/** What the customer's wallet holds when the journey is over. */
export const JOURNEY_BALANCE = 850;

/** The customer that the journey made, and its wallet in USDT. */
export interface Travelled {
  customer_id: string;
  wallet_id: string;
}

interface Identified {
  id: string;
}

/** @throws RefusedRequest, UnansweredRequest, AssertionError */
export async function journey(ask: Ask): Promise<Travelled> {
  const post = <Data>(path: string, body: object) => dataOf(ask<Data>('POST', path, body));
  const get = <Data>(path: string) => dataOf(ask<Data>('GET', path));
  const { id: customer_id } = await post<Identified>('/individual-customers', individualWithDocument());
  const usdt = { customer_id, currency: 'USDT', network: 'trc20', description: FREE_TEXTS.description };
  const wallet = await post<Identified>('/wallets', usdt);
  const naira = await post<Identified>('/wallets', { customer_id, currency: 'NGN' });
  await post('/sandbox/deposits', { wallet_id: naira.id, amount: '1', reference: FREE_TEXTS.reference });
  await post('/sandbox/deposits', { wallet_id: wallet.id, amount: '1000' });
  const pair = { customer_id, from_currency: 'USDT', to_currency: 'NGN', amount: '100' };
  await post('/instant-swaps', pair);
  const swap = await post<{ swapId: string }>('/swaps', pair);
  const bankPayout = { customer_id, currency: 'USDT', amount: '50', ...BANK };
  const { transaction_id } = await post<{ transaction_id: string }>('/payouts/banks', bankPayout);
  await untilCompleted(() => get<{ status: string }>(`/customers/transactions/by_txid/${transaction_id}`));
  const sides = await get<unknown[]>(`/customers/transactions/by_ref_id/${swap.swapId}`);
  assert.equal(sides.length, 2);
  const { balance } = await get<{ balance: string }>(`/wallets/${wallet.id}`);
  assert.equal(balance, `${JOURNEY_BALANCE}.00000000`);
  return { customer_id, wallet_id: wallet.id };
}

async function untilCompleted(look: () => Promise<{ status: string }>): Promise<void> {
  const deadline = Date.now() + SETTLED_TIMEOUT_MS;
  for (;;) {
    const { status } = await look();
    if (status === 'COMPLETED') return;
    if (Date.now() >= deadline) assert.fail(`the payout is still ${status} after ${SETTLED_TIMEOUT_MS / 1_000} s`);
    await delay(POLL_MS);
  }
}
