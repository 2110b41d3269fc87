/** A merchant with keys of its own, against another merchant and against the house. */
import { randomUUID } from 'node:crypto';
import { BANK } from '@stablecoin/testing/journey';
import type { People } from '../ground/people';
import type { Row } from './forgery';
import { approvesAnother, approvesTwiceAtOnce, approvesWithAnotherKey } from './approvals';
import { requests } from './lines';

const MILLION = '1000000';

const paysWith = (key: keyof People['keys'], name: string, answer: string) =>
  requests(
    `pays out with ${name}`,
    ({ mallory, keys }) => {
      const body = { ...BANK, customer_id: mallory.customerId, currency: 'USDT', amount: '1' };
      return mallory.client.post('/payouts/banks', body, { apiKey: keys[key] });
    },
    answer,
  );

export const MERCHANT: Row = {
  mint: [
    requests(
      'asks the sandbox for a deposit with a live key',
      ({ live }) => live.client.post('/sandbox/deposits', { wallet_id: live.walletId, amount: MILLION }),
      '404',
    ),
    requests(
      'deposits a negative amount',
      ({ mallory }) => mallory.client.post('/sandbox/deposits', { wallet_id: mallory.walletId, amount: '-1' }),
      '400 validation_failed',
    ),
    requests(
      'executes a quote for another amount than it was made for',
      async ({ mallory }) => {
        const pair = { customer_id: mallory.customerId, from_currency: 'USDT', to_currency: 'NGN' };
        await mallory.client.post('/instant-swaps', { ...pair, amount: '1' });
        return mallory.client.post('/swaps', { ...pair, amount: '2' });
      },
      '409 quote_required',
    ),
  ],
  move: [
    requests(
      "pays out of another merchant's wallet",
      ({ mallory, ada }) =>
        mallory.client.post('/payouts/banks', { ...BANK, customer_id: ada.customerId, currency: 'USDT', amount: '1' }),
      '404 not_found',
    ),
    requests(
      'pays out more than there is',
      ({ mallory }) =>
        mallory.client.post('/payouts/banks', {
          ...BANK,
          customer_id: mallory.customerId,
          currency: 'USDT',
          amount: MILLION,
        }),
      '422 insufficient_funds',
    ),
    paysWith('readOnly', 'a key that may only read', '403 insufficient_scope'),
    paysWith('revoked', 'a key that was revoked', '401 invalid_api_key'),
    paysWith('ofAnotherAddress', 'a key that is bound to another address', '401 invalid_api_key'),
    requests(
      "swaps another merchant's money",
      ({ mallory, ada }) =>
        mallory.client.post('/instant-swaps', {
          ...{ customer_id: ada.customerId, from_currency: 'USDT', to_currency: 'NGN', amount: '1' },
        }),
      '404 not_found',
    ),
    approvesTwiceAtOnce,
    approvesAnother,
    approvesWithAnotherKey,
  ],
  hide: [
    requests(
      'closes a customer who has money',
      ({ mallory }) => mallory.client.post(`/customers/${mallory.customerId}/close`),
      '409 customer_not_empty',
    ),
  ],
  undo: [
    requests(
      'has a payout fail that has arrived',
      ({ mallory }) => mallory.client.post(`/sandbox/payouts/${mallory.payoutId}/fail`),
      '409 invalid_transition',
    ),
    requests(
      "has another merchant's payout returned",
      ({ mallory, ada }) => mallory.client.post(`/sandbox/payouts/${ada.payoutId}/return`),
      '404 not_found',
    ),
    requests(
      "has another merchant's deposit reversed",
      ({ mallory, ada }) => mallory.client.post(`/sandbox/deposits/${ada.depositId}/reverse`),
      '404 not_found',
    ),
    requests(
      'sends a payout again under its Idempotency-Key, with another amount',
      async ({ mallory }) => {
        const idempotencyKey = randomUUID();
        const body = { ...BANK, customer_id: mallory.customerId, currency: 'USDT' };
        await mallory.client.post('/payouts/banks', { ...body, amount: '1' }, { idempotencyKey });
        return mallory.client.post('/payouts/banks', { ...body, amount: '2' }, { idempotencyKey });
      },
      '422 idempotency_key_reused',
    ),
  ],
  read: [
    requests(
      "reads another merchant's wallet",
      ({ mallory, ada }) => mallory.client.get(`/wallets/${ada.walletId}`),
      '404 not_found',
    ),
    requests(
      "reads the events behind another merchant's payout",
      ({ mallory, ada }) => mallory.client.get(`/audit/transactions/${ada.payoutTransactionId}`),
      '404',
    ),
    requests(
      "asks for the proof of another merchant's payout",
      ({ mallory, ada }) => mallory.client.get(`/audit/proofs/${ada.payoutTransactionId}`),
      '404 not_found',
    ),
    requests(
      "asks for the proof of what is owed to another merchant's wallet",
      ({ mallory, ada }) => mallory.client.get(`/audit/liabilities/${ada.walletId}`),
      '404 not_found',
    ),
    requests(
      'has events sent to a machine of the house, by its address',
      ({ live }) => live.client.post('/webhooks', { url: 'https://[::ffff:169.254.169.254]/latest/meta-data' }),
      '400 validation_failed',
    ),
    requests(
      "reads another merchant's customer",
      ({ mallory, ada }) => mallory.client.get(`/customers/${ada.customerId}`),
      '404 not_found',
    ),
  ],
};
