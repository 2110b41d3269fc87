import { randomUUID } from 'node:crypto';
import { eventually } from '@stablecoin/testing/eventually';
import { Answer, Client, dataOf, fieldErrorsOf, refusalOf } from './client';
import { covers } from './covers';
import { newClient } from './merchants';
import { ADDRESSES, balanceOf, business, createIndividual, individual, openWallet } from './people';
import { InnerEnvelope, Transaction, Wallet } from './resources';

covers('Rules: idempotency');

const BANK = { account_number: '0123450009', bank_code: '011', recipient_name: 'Ada' };
const METHOD = { wallet_address: ADDRESSES.trc20, network: 'trc20', currency: 'USDT' };
const REPLAYED = 'idempotency-replayed';
let merchant: Client;

beforeAll(async () => {
  merchant = await newClient();
  await openWallet(merchant, { currency: 'USD' }, '1000');
  await openWallet(merchant, { currency: 'USDT', network: 'trc20' }, '1000');
  await openWallet(merchant, { currency: 'NGN' });
});

interface Write {
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body: Record<string, unknown> | undefined;
  /** A change that makes it another request. */
  other: Record<string, unknown>;
}

const PAIR = { from_currency: 'USDT', to_currency: 'NGN' };
const post = (path: string, body: Record<string, unknown> | undefined, other: Record<string, unknown>): Write => ({
  method: 'POST',
  path,
  body,
  other,
});

/** Nobody listens there, which is soon found out. */
const HOOK = { url: 'http://127.0.0.1:9/', events: ['payout.reversed'] };
const webhook = async () => (await dataOf(merchant.post<{ id: string }>('/webhooks', HOOK))).id;

/** Every kind of write, prepared afresh each time. */
const WRITES: [string, () => Promise<Write>][] = [
  ['an individual customer', async () => post('/individual-customers', individual(), { first_name: 'Bea' })],
  ['a business customer', async () => post('/business-customers', business(), { business_name: 'Other' })],
  [
    'an update',
    async () => {
      const { id } = await createIndividual(merchant);
      return {
        method: 'PUT',
        path: `/individual-customers/${id}`,
        body: { first_name: 'Bea' },
        other: { first_name: 'Cleo' },
      };
    },
  ],
  [
    'a closing',
    async () => {
      const { id } = await createIndividual(merchant);
      return post(`/customers/${id}/close`, undefined, {});
    },
  ],
  [
    'a wallet',
    async () => {
      const { id: customer_id } = await createIndividual(merchant);
      return post('/wallets', { customer_id, currency: 'EUR' }, { currency: 'GBP' });
    },
  ],
  [
    'a deposit',
    async () => {
      const { id: customer_id } = await createIndividual(merchant);
      const wallet = await openWallet(merchant, { customer_id, currency: 'EUR' });
      return post('/sandbox/deposits', { wallet_id: wallet.id, amount: '1' }, { amount: '2' });
    },
  ],
  ['a quote', async () => post('/instant-swaps', { ...PAIR, amount: '1' }, { amount: '2' })],
  [
    'a refresh',
    async () => {
      const { data } = await dataOf(merchant.post<InnerEnvelope>('/instant-swaps', { ...PAIR, amount: '3' }));
      return post(`/swaps/${data.id}/refresh`, { ...PAIR, from_amount: '3' }, { from_amount: '4' });
    },
  ],
  [
    'a swap',
    async () => {
      const { data } = await dataOf(merchant.post<InnerEnvelope>('/instant-swaps', { ...PAIR, amount: '5' }));
      return post('/swaps', { ...PAIR, amount: '5', quote_id: data.id }, { amount: '6' });
    },
  ],
  ['a bank payout', async () => post('/payouts/banks', { currency: 'USD', amount: '1', ...BANK }, { amount: '2' })],
  [
    'a wallet payout',
    async () =>
      post(
        '/payouts/wallets',
        { currency: 'USDT', amount: 1, address: ADDRESSES.trc20, network: 'trc20' },
        { amount: 2 },
      ),
  ],
  ['a wallet method', async () => post('/payout/methods/wallets', METHOD, { label: 'other' })],
  [
    'a bank method',
    async () =>
      post('/payout/methods/banks', { currency: 'NGN', account_number: '0123', bank_code: '1' }, { bank_code: '2' }),
  ],
  [
    'a deletion',
    async () => {
      const { id } = await dataOf(merchant.post<{ id: string }>('/payout/methods/wallets', METHOD));
      return { method: 'DELETE', path: `/payout/methods/${id}`, body: undefined, other: { customer_id: null } };
    },
  ],
  [
    'a word to the sandbox',
    async () => {
      const { id } = await dataOf(
        merchant.post<Transaction>('/payouts/banks', { currency: 'USD', amount: '1', ...BANK }),
      );
      return post(`/sandbox/payouts/${id}/fail`, undefined, {});
    },
  ],
  ['a webhook', async () => post('/webhooks', HOOK, { description: 'other' })],
  [
    "a webhook's deletion",
    async () => ({ method: 'DELETE', path: `/webhooks/${await webhook()}`, body: undefined, other: {} }),
  ],
  ["a secret's rotation", async () => post(`/webhooks/${await webhook()}/rotate-secret`, undefined, {})],
  ["a webhook's test", async () => post(`/webhooks/${await webhook()}/test`, undefined, {})],
  [
    "an event's resending",
    async () => {
      const [event] = await dataOf(merchant.get<{ id: string }[]>('/events?limit=1'));
      return post(`/events/${event?.id}/resend`, undefined, {});
    },
  ],
];

describe.each(WRITES)('%s', (_what, prepare) => {
  it('is given again, as stored, to the same key and body', async () => {
    const { method, path, body } = await prepare();
    const idempotencyKey = randomUUID();
    const first = await merchant.send(method, path, body, { idempotencyKey });
    expect([first.body.status, first.headers.get(REPLAYED)]).toEqual(['success', null]);
    for (let time = 0; time < 2; time += 1) {
      const again = await merchant.send(method, path, body && reversed(body), { idempotencyKey });
      expect([again.status, again.body, again.headers.get(REPLAYED)]).toEqual([first.status, first.body, 'true']);
    }
  });
});

const WITHOUT_BODY = [
  'a closing',
  'a word to the sandbox',
  "a webhook's deletion",
  "a secret's rotation",
  "a webhook's test",
  "an event's resending",
];

describe.each(WRITES.filter(([what]) => !WITHOUT_BODY.includes(what)))('%s', (_what, prepare) => {
  it('is refused with another body under the same key', async () => {
    const { method, path, body, other } = await prepare();
    const idempotencyKey = randomUUID();
    const first = await merchant.send(method, path, body, { idempotencyKey });
    expect(first.body.status).toBe('success');
    const asked = merchant.send(method, path, { ...body, ...other }, { idempotencyKey });
    await refusalOf(asked, 422, 'idempotency_key_reused');
  });
});

describe('100 identical requests at once', () => {
  it.each<[string, () => Promise<[string, Record<string, unknown>]>, (customerId: string) => Promise<number>]>([
    [
      'payouts make one',
      async () => ['/payouts/banks', { currency: 'USD', amount: '1.5', ...BANK }],
      async () =>
        (await dataOf(merchant.get<Transaction[]>('/transactions?limit=100&currency=USD'))).filter(
          ({ amount }) => amount === '1.50000000',
        ).length,
    ],
    [
      'customers make one',
      async () => ['/individual-customers', individual({ phone: '+15551234567' })],
      async () => (await dataOf(merchant.get<unknown[]>('/customers?search=%2B15551234567'))).length,
    ],
    [
      'wallets make one',
      async () => ['/wallets', { currency: 'GBP' }],
      async () => (await dataOf(merchant.get<Wallet[]>('/wallets?currency=GBP'))).length,
    ],
    [
      'methods make one',
      async () => [
        '/payout/methods/wallets',
        { ...METHOD, currency: 'USDC', network: 'erc20', wallet_address: ADDRESSES.erc20 },
      ],
      async () => (await dataOf(merchant.get<unknown[]>('/payout/methods?currency=USDC'))).length,
    ],
    [
      'swaps make one',
      async () => {
        const { data } = await dataOf(merchant.post<InnerEnvelope>('/instant-swaps', { ...PAIR, amount: '7' }));
        return ['/swaps', { ...PAIR, amount: '7', quote_id: data.id }];
      },
      async () =>
        (await dataOf(merchant.get<Transaction[]>('/transactions?limit=100&currency=USDT'))).filter(
          ({ amount }) => amount === '7.00000000',
        ).length,
    ],
  ])('%s', async (_what, prepare, countEffects) => {
    const [path, body] = await prepare();
    const idempotencyKey = randomUUID();
    const send = () => merchant.post(path, body, { idempotencyKey });
    const settled = await Promise.all(Array.from({ length: 100 }, () => settling(send)));
    expect(new Set(settled.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(settled[0]?.body.status).toBe('success');
    expect(settled.filter(({ headers }) => headers.get(REPLAYED) === null)).toHaveLength(1);
    expect(await countEffects(path)).toBe(1);
  });

  it('quotes are one quote', async () => {
    const idempotencyKey = randomUUID();
    const ask = () => merchant.post<InnerEnvelope>('/instant-swaps', { ...PAIR, amount: '8' }, { idempotencyKey });
    const settled = await Promise.all(Array.from({ length: 100 }, () => settling(ask)));
    expect(new Set(settled.map(({ body }) => body.data.data.id)).size).toBe(1);
  });
});

describe('a key', () => {
  it('is not burnt by a refusal: neither of the fields nor of the business', async () => {
    const wallet = await openWallet(merchant, { currency: 'CAD' });
    const idempotencyKey = randomUUID();
    const payout = { currency: 'CAD', amount: '5', ...BANK };
    const pay = (body: unknown) => merchant.post<Transaction>('/payouts/banks', body, { idempotencyKey });
    await fieldErrorsOf(pay({ ...payout, amount: '-5' }));
    await refusalOf(pay(payout), 422, 'insufficient_funds');
    await dataOf(merchant.post('/sandbox/deposits', { wallet_id: wallet.id, amount: '6' }));
    const accepted = await pay(payout);
    expect([accepted.status, accepted.headers.get(REPLAYED)]).toEqual([200, null]);
    expect(await balanceOf(merchant, wallet.id)).toBe('1.00000000');
  });

  it('is another one on another path, and of another merchant', async () => {
    const idempotencyKey = randomUUID();
    const stranger = await newClient();
    const quote = { from_currency: 'USD', to_currency: 'EUR', amount: '1' };
    const answers = [
      await merchant.post('/instant-swaps', quote, { idempotencyKey }),
      await merchant.post('/payout/methods/wallets', METHOD, { idempotencyKey }),
      await stranger.post('/instant-swaps', quote, { idempotencyKey }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get(REPLAYED)])).toEqual(Array(3).fill([200, null]));
  });

  it('is not needed: without one, every request is a new one', async () => {
    const make = async () => (await dataOf(merchant.post<{ id: string }>('/payout/methods/wallets', METHOD))).id;
    expect(await make()).not.toBe(await make());
  });

  it.each([
    ['of 255 characters', 'k'.repeat(255), 200],
    ['of 256 characters', 'k'.repeat(256), 400],
    ['that is not ASCII', 'kä', 400],
    ['that is empty', '', 400],
  ])('%s: %s', async (_what, idempotencyKey, status) => {
    const quote = { from_currency: 'USD', to_currency: 'EUR', amount: '1' };
    expect((await merchant.post('/instant-swaps', quote, { idempotencyKey })).status).toBe(status);
  });
});

/** What a client does while its request is still running elsewhere: sends it again until it is told the outcome. */
function settling<Data>(send: () => Promise<Answer<Data>>): Promise<Answer<Data>> {
  return eventually('the command is no longer in flight', async () => {
    const answer = await send();
    return answer.body.code !== 'idempotency_in_flight' && answer;
  });
}

/** The same object with its fields in the opposite order. */
function reversed(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).reverse());
}
