import { individual } from '@stablecoin/testing/person';
import { Client, dataOf } from './client';
import { testStack } from '@stablecoin/testing/stack';
import { addKey, createMerchant, setPolicy } from './merchants';
import { ADDRESSES, business, createBusiness, createIndividual, openWallet } from './people';
import { Event, Transaction } from './resources';
import type { Section } from './sections';

/** One request that changes something, prepared afresh: it would be taken, once. */
export interface Write {
  path: string;
  /** Who sends it, where that is not the merchant's first key. */
  by?: Client;
  body?: Record<string, unknown>;
  /** A change that makes it another request, which would be taken as well. Without one, the route has no fields. */
  other?: Record<string, unknown>;
  /** A change that makes it one that the business refuses, with the code of the refusal. */
  refused?: [code: string, change: Record<string, unknown>];
}

export const BANK = { account_number: '0123450009', bank_code: '011', recipient_name: 'Ada' };
export const METHOD = { wallet_address: ADDRESSES.trc20, network: 'trc20', currency: 'USDT' } as const;
export const PAIR = { from_currency: 'USDT', to_currency: 'NGN' } as const;
/** The reference of a deposit that stays PENDING until its outcome is requested. */
export const HELD_DEPOSIT = 'sandbox:hold';
const TOO_MUCH = '999999999';

/** What the writes below need: the merchant's wallets, two of them with money. */
export async function equip(merchant: Client): Promise<void> {
  await openWallet(merchant, { currency: 'USD' }, '100000');
  await openWallet(merchant, { currency: 'USDT', network: 'trc20' }, '100000');
  await openWallet(merchant, { currency: 'NGN' });
}

/** Every route that changes something. */
export const WRITES: [Section, (merchant: Client) => Promise<Write>][] = [
  [
    'POST /individual-customers',
    async (merchant) => {
      const { email } = await createIndividual(merchant);
      return {
        path: '/individual-customers',
        body: individual(),
        other: { first_name: 'Bea' },
        refused: ['email_taken', { email }],
      };
    },
  ],
  [
    'POST /business-customers',
    async (merchant) => {
      const { phone } = await createBusiness(merchant);
      return {
        path: '/business-customers',
        body: business(),
        other: { business_name: 'Other' },
        refused: ['phone_taken', { phone }],
      };
    },
  ],
  [
    'PUT /individual-customers/{customerId}',
    async (merchant) => {
      const { email } = await createIndividual(merchant);
      const { id } = await createIndividual(merchant);
      const [body, other] = [{ first_name: 'Bea' }, { first_name: 'Cleo' }];
      return { path: `/individual-customers/${id}`, body, other, refused: ['email_taken', { email }] };
    },
  ],
  [
    'PUT /business-customers/{customerId}',
    async (merchant) => {
      const { phone } = await createBusiness(merchant);
      const { id } = await createBusiness(merchant);
      const [body, other] = [{ business_name: 'Bea & Co' }, { business_name: 'Cleo & Co' }];
      return { path: `/business-customers/${id}`, body, other, refused: ['phone_taken', { phone }] };
    },
  ],
  [
    'POST /customers/{customerId}/close',
    async (merchant) => ({ path: `/customers/${(await createIndividual(merchant)).id}/close` }),
  ],
  [
    'POST /wallets',
    async (merchant) => {
      const { id: customer_id } = await createIndividual(merchant);
      await openWallet(merchant, { customer_id, currency: 'CAD' });
      const body = { customer_id, currency: 'EUR' };
      return { path: '/wallets', body, other: { currency: 'GBP' }, refused: ['wallet_exists', { currency: 'CAD' }] };
    },
  ],
  [
    'POST /sandbox/deposits',
    async (merchant) => {
      const { id: customer_id } = await createIndividual(merchant);
      const { id: wallet_id } = await openWallet(merchant, { customer_id, currency: 'EUR' });
      const body = { wallet_id, amount: '1' };
      return {
        path: '/sandbox/deposits',
        body,
        other: { amount: '2' },
        refused: ['not_found', { wallet_id: customer_id }],
      };
    },
  ],
  [
    'POST /sandbox/deposits/{id}/complete',
    async (merchant) => ({ path: `/sandbox/deposits/${await heldDeposit(merchant)}/complete` }),
  ],
  [
    'POST /sandbox/deposits/{id}/fail',
    async (merchant) => ({ path: `/sandbox/deposits/${await heldDeposit(merchant)}/fail` }),
  ],
  [
    'POST /sandbox/deposits/{id}/reverse',
    async (merchant) => {
      const id = await heldDeposit(merchant);
      await merchant.sdk.sandbox.completeDeposit(id);
      return { path: `/sandbox/deposits/${id}/reverse` };
    },
  ],
  [
    'POST /instant-swaps',
    async () => ({
      path: '/instant-swaps',
      body: { ...PAIR, amount: '1' },
      other: { amount: '2' },
      refused: ['unsupported_pair', { to_currency: 'USDT' }],
    }),
  ],
  [
    'POST /swaps/{swapId}/refresh',
    async (merchant) => {
      const id = await quote(merchant, '3');
      const body = { ...PAIR, from_amount: '3' };
      return {
        path: `/swaps/${id}/refresh`,
        body,
        other: { from_amount: '4' },
        refused: ['quote_mismatch', { from_amount: '5' }],
      };
    },
  ],
  [
    'POST /swaps',
    async (merchant) => {
      const body = { ...PAIR, amount: '5', quote_id: await quote(merchant, '5') };
      return { path: '/swaps', body, other: { amount: '6' }, refused: ['quote_mismatch', { amount: '7' }] };
    },
  ],
  [
    'POST /payouts/banks',
    async () => ({
      path: '/payouts/banks',
      body: { currency: 'USD', amount: '1', ...BANK },
      other: { amount: '2' },
      refused: ['insufficient_funds', { amount: TOO_MUCH }],
    }),
  ],
  [
    'POST /payouts/wallets',
    async () => ({
      path: '/payouts/wallets',
      body: { currency: 'USDT', amount: 1, address: ADDRESSES.trc20, network: 'trc20' },
      other: { amount: 2 },
      refused: ['insufficient_funds', { amount: TOO_MUCH }],
    }),
  ],
  [
    'POST /payouts/{transaction_id}/approve',
    async () => {
      const { payout, approver } = await waitingPayout();
      const { approval_hash } = payout;
      return {
        path: `/payouts/${payout.id}/approve`,
        by: approver,
        body: { approval_hash },
        other: { approval_hash: '0'.repeat(64) },
        refused: ['approval_mismatch', { approval_hash: 'f'.repeat(64) }],
      };
    },
  ],
  [
    'POST /payouts/{transaction_id}/reject',
    async () => {
      const { payout, approver } = await waitingPayout();
      return { path: `/payouts/${payout.id}/reject`, by: approver };
    },
  ],
  [
    'POST /payout/methods/wallets',
    async () => ({
      path: '/payout/methods/wallets',
      body: METHOD,
      other: { label: 'other' },
      refused: ['not_found', { customer_id: UNKNOWN_CUSTOMER_ID }],
    }),
  ],
  [
    'POST /payout/methods/banks',
    async () => ({
      path: '/payout/methods/banks',
      body: { currency: 'NGN', account_number: '0123', bank_code: '1' },
      other: { bank_code: '2' },
      refused: ['not_found', { customer_id: UNKNOWN_CUSTOMER_ID }],
    }),
  ],
  [
    'DELETE /payout/methods/{payout_method_id}',
    async (merchant) => {
      const { id } = await merchant.sdk.payoutMethods.addWallet(METHOD);
      return {
        path: `/payout/methods/${id}`,
        body: {},
        other: { customer_id: null },
        refused: ['not_found', { customer_id: UNKNOWN_CUSTOMER_ID }],
      };
    },
  ],
  [
    'POST /sandbox/payouts/{id}/complete',
    async (merchant) => ({ path: `/sandbox/payouts/${await held(merchant)}/complete` }),
  ],
  ['POST /sandbox/payouts/{id}/fail', async (merchant) => ({ path: `/sandbox/payouts/${await held(merchant)}/fail` })],
  [
    'POST /sandbox/payouts/{id}/return',
    async (merchant) => {
      const id = await held(merchant);
      await merchant.sdk.sandbox.completePayout(id);
      return { path: `/sandbox/payouts/${id}/return` };
    },
  ],
  [
    'POST /webhooks',
    async () => ({
      path: '/webhooks',
      body: { url: NOWHERE, events: ['payout.failed'] },
      other: { description: 'other' },
    }),
  ],
  [
    'PUT /webhooks/{webhook_id}',
    async (merchant) => ({
      path: `/webhooks/${await webhook(merchant)}`,
      body: { status: 'disabled' },
      other: { status: 'enabled' },
    }),
  ],
  ['DELETE /webhooks/{webhook_id}', async (merchant) => ({ path: `/webhooks/${await webhook(merchant)}` })],
  [
    'POST /webhooks/{webhook_id}/rotate-secret',
    async (merchant) => ({ path: `/webhooks/${await webhook(merchant)}/rotate-secret` }),
  ],
  ['POST /webhooks/{webhook_id}/test', async (merchant) => ({ path: `/webhooks/${await webhook(merchant)}/test` })],
  [
    'POST /events/{event_id}/resend',
    async (merchant) => {
      await createIndividual(merchant);
      const [event] = await dataOf(merchant.get<Event[]>('/events?type=customer.created'));
      return { path: `/events/${event?.id}/resend` };
    },
  ],
];

const UNKNOWN_CUSTOMER_ID = '00000000-0000-4000-8000-000000000000';
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9/hook';

async function quote(merchant: Client, amount: string): Promise<string> {
  return (await merchant.sdk.quotes.create({ ...PAIR, amount })).id;
}

async function heldDeposit(merchant: Client): Promise<string> {
  return (await merchant.sdk.sandbox.deposit({ currency: 'USD', amount: '1', reference: HELD_DEPOSIT })).id;
}

async function held(merchant: Client): Promise<string> {
  return (await merchant.sdk.payouts.createToBank({ currency: 'USD', amount: '1', ...BANK })).id;
}

/** A fresh one; those of before make room, since a merchant has at most twenty. */
async function webhook(merchant: Client): Promise<string> {
  for (const { id } of (await merchant.sdk.webhooks.list()).data) await merchant.sdk.webhooks.delete(id);
  const { id } = await merchant.sdk.webhooks.create({ url: NOWHERE, events: ['payout.failed'] });
  return id;
}

/** A payout that waits for an approval, of a merchant of its own, and the key that may give it. */
export async function waitingPayout(): Promise<{ payout: Transaction & { approval_hash: string }; approver: Client }> {
  const { merchant_id, api_key } = await createMerchant();
  const creator = new Client(testStack().base_url, api_key);
  await openWallet(creator, { currency: 'USD' }, '10');
  await setPolicy(merchant_id, {
    limits: [{ currency: 'USD', per: 'merchant', within: 'day', amount: '10' }],
    new_destination_wait_seconds: 0,
    approval: { above: [], new_destination: true, new_rail: false, approvers: 1, expires_after_seconds: 3_600 },
  });
  const asked = creator.post<Transaction & { approval_hash: string }>('/payouts/banks', {
    ...{ currency: 'USD', amount: '1', ...BANK },
  });
  return { payout: await dataOf(asked), approver: (await addKey(merchant_id, 'read,approve')).client };
}
