import { randomUUID } from 'node:crypto';
import { eventually } from '@stablecoin/testing/eventually';
import { Client, dataOf, fieldErrorsOf, refusalOf } from './client';
import { covers } from './covers';
import { newClient } from './merchants';
import { balanceOf, createIndividual, openWallet } from './people';
import {
  AMOUNT,
  InnerEnvelope,
  PRICE,
  Quote,
  Swap,
  swapTransactionShape,
  TIMESTAMP,
  Transaction,
  transactionShape,
  UUID,
} from './resources';

const PAIR = { from_currency: 'USDT', to_currency: 'NGN' };
let merchant: Client;

beforeAll(async () => {
  merchant = await newClient(['--email', 'owner@merchant.example']);
});

async function quote(request: Record<string, unknown>): Promise<Quote> {
  return (await dataOf(merchant.post<InnerEnvelope>('/instant-swaps', { ...PAIR, ...request }))).data;
}

async function customerWith(amount: string): Promise<{ customer_id: string; usdt: string; ngn: string }> {
  const { id: customer_id } = await createIndividual(merchant);
  const usdt = await openWallet(merchant, { customer_id, currency: 'USDT', network: 'trc20' }, amount);
  const ngn = await openWallet(merchant, { customer_id, currency: 'NGN' });
  return { customer_id, usdt: usdt.id, ngn: ngn.id };
}

const quoteShape = (said: Record<string, unknown>) => ({
  id: UUID,
  from_currency: 'USDT',
  to_currency: 'NGN',
  quoted_price: PRICE,
  quoted_currency: 'NGN',
  from_amount: '10.00000000',
  to_amount: AMOUNT,
  confirmed: false,
  expires_at: TIMESTAMP,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  user: expect.any(Object) as object,
  ...said,
});

const userShape = (said: Record<string, unknown>) => ({
  id: UUID,
  sn: expect.stringMatching(/^[A-Z0-9]{10}$/) as unknown,
  email: 'owner@merchant.example',
  reference: null,
  first_name: expect.any(String) as unknown,
  last_name: expect.any(String) as unknown,
  display_name: expect.any(String) as unknown,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  ...said,
});

describe('POST /instant-swaps', () => {
  covers('POST /instant-swaps', 'Resource: swap quote');

  it('answers in two envelopes', async () => {
    const { status, body } = await merchant.post('/instant-swaps', { ...PAIR, amount: '10' });
    const inner = {
      status: 'success',
      message: expect.any(String) as unknown,
      data: quoteShape({ user: userShape({}) }),
    };
    expect([status, body]).toEqual([200, { status: 'success', data: inner }]);
  });

  it('names the customer as its user', async () => {
    const customer = await createIndividual(merchant);
    const { data } = await dataOf(
      merchant.post<InnerEnvelope>('/instant-swaps', { customer_id: customer.id, ...PAIR, amount: '10' }),
    );
    const user = {
      id: customer.id,
      email: customer.email,
      first_name: 'Ada',
      last_name: 'Obi',
      display_name: 'Ada Obi',
    };
    expect(data).toEqual(quoteShape({ user: userShape(user) }));
  });

  it('multiplies by the printed price and rounds down to the currency’s own precision', async () => {
    for (const [from_currency, to_currency, decimals] of [
      ['USDT', 'NGN', 2],
      ['NGN', 'USDT', 6],
      ['GBP', 'EUR', 2],
    ] as const) {
      const { quoted_price, to_amount } = await quote({ from_currency, to_currency, amount: '123.45' });
      expect(to_amount).toBe(product('123.45', quoted_price, decimals));
    }
  });

  it('lives 60 s, and needs neither wallets nor money', async () => {
    const { created_at, expires_at } = await quote({ amount: '1000000' });
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(60_000);
  });

  it('takes currencies in any case', async () => {
    expect(await quote({ from_currency: 'usdt', to_currency: 'nGn', amount: '10' })).toMatchObject(PAIR);
  });

  it.each<[string, Record<string, unknown>, number, string]>([
    ['one currency twice', { to_currency: 'USDT', amount: '10' }, 422, 'unsupported_pair'],
    [
      'an amount that comes to nothing',
      { from_currency: 'NGN', to_currency: 'USD', amount: '0.01' },
      422,
      'amount_too_small',
    ],
    ['an unknown customer', { customer_id: randomUUID(), amount: '10' }, 404, 'not_found'],
  ])('refuses %s', async (_what, request, status, code) => {
    await refusalOf(merchant.post('/instant-swaps', { ...PAIR, ...request }), status, code);
  });

  it.each(['0', '-1', '+1', '1e3', '.5', '1.', '01', ' 1', '1,000', '0.123456789', '1234567890123456789', 'NaN', 10])(
    'refuses %j as amount',
    async (amount) => {
      const expected = { amount: 'invalid_amount' };
      expect(await fieldErrorsOf(merchant.post('/instant-swaps', { ...PAIR, amount }))).toEqual(expected);
    },
  );
});

describe('POST /swaps/{swapId}/refresh', () => {
  covers('POST /swaps/{swapId}/refresh', 'States: swap quote');

  it('keeps the id and what is exchanged, and renews the rest', async () => {
    const first = await quote({ amount: '10' });
    for (const name of ['from_amount', 'amount']) {
      const { status, body } = await merchant.post(`/swaps/${first.id}/refresh`, { ...PAIR, [name]: '10.00' });
      const data = quoteShape({ id: first.id, created_at: first.created_at, user: userShape({}) });
      expect([status, body]).toEqual([
        200,
        { status: 'success', data: { status: 'success', message: expect.any(String) as unknown, data } },
      ]);
      const { expires_at } = (body.data as InnerEnvelope).data;
      expect(Date.parse(expires_at)).toBeGreaterThan(Date.parse(first.expires_at));
    }
  });

  it.each<[string, Record<string, unknown>, number, string]>([
    ['another amount', { from_amount: '11' }, 422, 'quote_mismatch'],
    ['another currency', { from_amount: '10', to_currency: 'EUR' }, 422, 'quote_mismatch'],
    ['another owner', { from_amount: '10', customer_id: 'a customer' }, 404, 'not_found'],
  ])('refuses %s', async (_what, request, status, code) => {
    const { id } = await quote({ amount: '10' });
    const owner = request['customer_id'] ? { customer_id: (await createIndividual(merchant)).id } : {};
    const body = { ...PAIR, ...request, ...owner };
    await refusalOf(merchant.post(`/swaps/${id}/refresh`, body), status, code);
  });

  it('needs an amount', async () => {
    const { id } = await quote({ amount: '10' });
    const errors = await fieldErrorsOf(merchant.post(`/swaps/${id}/refresh`, PAIR));
    expect(errors).toEqual({ from_amount: 'required' });
  });
});

describe('POST /swaps', () => {
  covers('POST /swaps', 'States: swap quote');

  it('answers with both transactions PENDING; both are COMPLETED and spendable at once', async () => {
    const { customer_id, usdt, ngn } = await customerWith('100');
    const { id: swapId, quoted_price, to_amount } = await quote({ customer_id, amount: '40' });
    const { status, body } = await merchant.post<Swap>('/swaps', { customer_id, ...PAIR, amount: '40' });
    const both = {
      sender_wallet_id: usdt,
      receiver_wallet_id: ngn,
      reference_id: swapId,
      transaction_type: 'INTERNAL TRANSFER',
      exchange_rate: quoted_price,
      customer_id,
    };
    const debit = {
      ...both,
      asset_code: 'USDT',
      amount: '40.00000000',
      transaction_mode: 'DEBIT',
      balance: '60.00000000',
    };
    const credit = { ...both, asset_code: 'NGN', amount: to_amount, transaction_mode: 'CREDIT' };
    const debitTransaction = swapTransactionShape({ ...debit, status: 'PENDING' });
    const creditTransaction = swapTransactionShape({ ...credit, status: 'PENDING', balance: '0.00000000' });
    const data = { debitTransaction, creditTransaction, swapId };
    expect([status, body]).toEqual([200, { status: 'success', data, message: expect.any(String) as unknown }]);

    expect([await balanceOf(merchant, usdt), await balanceOf(merchant, ngn)]).toEqual(['60.00000000', to_amount]);
    const found = await dataOf(merchant.get<Transaction[]>(`/customers/transactions/by_ref_id/${swapId}`));
    expect(found).toEqual([
      transactionShape({ ...debit, status: 'COMPLETED' }),
      transactionShape({ ...credit, status: 'COMPLETED', balance: to_amount }),
    ]);
  });

  it('confirms its quote, which is then used', async () => {
    const { customer_id } = await customerWith('100');
    const { id: quote_id } = await quote({ customer_id, amount: '10' });
    await dataOf(merchant.post('/swaps', { customer_id, ...PAIR, amount: '10', quote_id }));
    await eventually(
      'the quote is confirmed',
      async () => (await dataOf(merchant.get<Quote>(`/swaps/${quote_id}`))).confirmed,
    );
    await refusalOf(merchant.post('/swaps', { customer_id, ...PAIR, amount: '10', quote_id }), 409, 'quote_used');
    await refusalOf(merchant.post('/swaps', { customer_id, ...PAIR, amount: '10' }), 409, 'quote_used');
    await refusalOf(
      merchant.post(`/swaps/${quote_id}/refresh`, { customer_id, ...PAIR, from_amount: '10' }),
      409,
      'quote_used',
    );
  });

  it('takes the newest quote of the pair and amount, a refreshed one before a later one, 10 being 10.00', async () => {
    const { customer_id } = await customerWith('100');
    const first = await quote({ customer_id, amount: '10' });
    const second = await quote({ customer_id, amount: '10.00' });
    await quote({ customer_id, amount: '11' });
    await dataOf(merchant.post(`/swaps/${first.id}/refresh`, { customer_id, ...PAIR, from_amount: '10' }));
    const swaps = [];
    for (let count = 0; count < 2; count += 1) {
      swaps.push((await dataOf(merchant.post<Swap>('/swaps', { customer_id, ...PAIR, amount: '10.0' }))).swapId);
    }
    expect(swaps).toEqual([first.id, second.id]);
  });

  it('leaves the quote open when the money is short, and takes it when it is there', async () => {
    const { customer_id, usdt } = await customerWith('5');
    const { id } = await quote({ customer_id, amount: '10' });
    await refusalOf(merchant.post('/swaps', { customer_id, ...PAIR, amount: '10' }), 422, 'insufficient_funds');
    expect(await balanceOf(merchant, usdt)).toBe('5.00000000');
    await dataOf(merchant.post('/sandbox/deposits', { wallet_id: usdt, amount: '5' }));
    expect((await dataOf(merchant.post<Swap>('/swaps', { customer_id, ...PAIR, amount: '10' }))).swapId).toBe(id);
  });

  it('refuses, in this order: owner, quote, wallets, money', async () => {
    const { id: customer_id } = await createIndividual(merchant);
    const swap = { customer_id, ...PAIR, amount: '10' };
    await refusalOf(merchant.post('/swaps', { ...swap, customer_id: randomUUID() }), 404, 'not_found');
    await refusalOf(merchant.post('/swaps', { ...swap, quote_id: randomUUID() }), 404, 'not_found');
    await refusalOf(merchant.post('/swaps', swap), 409, 'quote_required');
    const { id: quote_id } = await quote({ customer_id, amount: '10' });
    await refusalOf(merchant.post('/swaps', { ...PAIR, amount: '10', quote_id }), 404, 'not_found');
    await refusalOf(merchant.post('/swaps', { ...swap, amount: '11', quote_id }), 422, 'quote_mismatch');
    await refusalOf(merchant.post('/swaps', swap), 422, 'wallet_not_found');
    await openWallet(merchant, { customer_id, currency: 'USDT', network: 'trc20' });
    await refusalOf(merchant.post('/swaps', swap), 422, 'wallet_not_found');
    await openWallet(merchant, { customer_id, currency: 'NGN' });
    await refusalOf(merchant.post('/swaps', swap), 422, 'insufficient_funds');
  });
});

describe('GET /swaps/{swapId}', () => {
  covers('GET /swaps/{swapId}');

  it('shows the quote, in one envelope', async () => {
    const { id } = await quote({ amount: '10' });
    const { status, body } = await merchant.get(`/swaps/${id}`);
    expect([status, body]).toEqual([200, { status: 'success', data: quoteShape({ id, user: userShape({}) }) }]);
  });
});

/** a × b with `decimals` decimals, rounded down and printed with 8, computed in whole numbers. */
function product(a: string, b: string, decimals: number): string {
  const scaled = (text: string) => BigInt(text.replace('.', ''));
  const scale = (text: string) => (text.split('.')[1] ?? '').length;
  const exact = scaled(a) * scaled(b);
  const units = exact / 10n ** BigInt(scale(a) + scale(b) - decimals);
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals).padEnd(8, '0')}`;
}
