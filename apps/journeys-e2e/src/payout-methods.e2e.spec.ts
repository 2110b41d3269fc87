import { Client, dataOf, fieldErrorsOf, refusalOf } from './client';
import { covers } from './covers';
import { newClient } from './merchants';
import { ADDRESSES, createIndividual } from './people';
import { PayoutMethod, TIMESTAMP, UUID } from './resources';

const WALLET = { wallet_address: ADDRESSES.trc20, network: 'trc20', currency: 'USDT' };
const BANK = { account_number: '0123456789', bank_code: '011', currency: 'NGN' };
const common = { id: UUID, customer_id: null, created_at: TIMESTAMP, updated_at: TIMESTAMP };
let merchant: Client;

beforeAll(async () => {
  merchant = await newClient();
});

describe('POST /payout/methods/wallets', () => {
  covers('POST /payout/methods/wallets', 'Resource: payout method');

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['what is required', {}, { label: null }],
    ['all there is', { type: 'WALLET', customer_id: null, label: 'Cold wallet' }, { label: 'Cold wallet' }],
    ['the currency in lower case', { currency: 'usdt' }, { label: null }],
  ])('takes %s', async (_what, changes, said) => {
    const { status, body } = await merchant.post('/payout/methods/wallets', { ...WALLET, ...changes });
    const data = { ...common, type: 'WALLET', ...WALLET, ...said };
    expect([status, body]).toEqual([200, { status: 'success', data, message: expect.any(String) as unknown }]);
  });

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['the other type', { type: 'BANK' }, { type: 'invalid_choice' }],
    ['no address', { wallet_address: undefined }, { wallet_address: 'required' }],
    ['an address of another network', { network: 'erc20' }, { wallet_address: 'invalid_address' }],
    ['a network that the currency lacks', { currency: 'USDC' }, { network: 'unsupported_network' }],
    ['a currency of two letters', { currency: 'US' }, { currency: 'unsupported_currency' }],
    ['a label of 101 characters', { label: 'x'.repeat(101) }, { label: 'invalid_text' }],
  ])('refuses %s', async (_what, changes, expected) => {
    expect(await fieldErrorsOf(merchant.post('/payout/methods/wallets', { ...WALLET, ...changes }))).toEqual(expected);
  });
});

describe('POST /payout/methods/banks', () => {
  covers('POST /payout/methods/banks', 'Resource: payout method');

  const empty = {
    account_name: null,
    bank_name: null,
    sort_code: null,
    swift_code: null,
    routing_number: null,
    iban: null,
  };
  const full = {
    account_name: 'Ada Obi',
    bank_name: 'First Bank',
    sort_code: '123456',
    swift_code: 'FBNINGLA',
    routing_number: '021000021',
    iban: 'DE89370400440532013000',
  };

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['what is required', {}, empty],
    ['all there is', { type: 'BANK', ...full }, full],
  ])('takes %s', async (_what, changes, said) => {
    const { status, body } = await merchant.post('/payout/methods/banks', { ...BANK, ...changes });
    const data = { ...common, type: 'BANK', ...BANK, ...said };
    expect([status, body]).toEqual([200, { status: 'success', data, message: expect.any(String) as unknown }]);
  });

  it('refuses an account that is none', async () => {
    const body = { ...BANK, account_number: '1' };
    expect(await fieldErrorsOf(merchant.post('/payout/methods/banks', body))).toEqual({
      account_number: 'invalid_account_number',
    });
  });
});

describe('GET /payout/methods', () => {
  covers('GET /payout/methods', 'Resource: envelope and pagination');

  let own: Client;
  let customer_id: string;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    own = await newClient();
    customer_id = (await createIndividual(own)).id;
    const add = async (kind: string, body: unknown) =>
      (await dataOf(own.post<PayoutMethod>(`/payout/methods/${kind}`, body))).id;
    ids['bank'] = await add('banks', BANK);
    ids['wallet'] = await add('wallets', WALLET);
    ids['customer'] = await add('wallets', { ...WALLET, customer_id });
  });

  it.each<[string, string[], Record<string, unknown>]>([
    [
      '',
      ['customer', 'wallet', 'bank'],
      { total: 3, page: 1, limit: 20, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
    ],
    [
      '?limit=2',
      ['customer', 'wallet'],
      { total: 3, page: 1, limit: 2, totalPages: 2, hasNextPage: true, hasPreviousPage: false },
    ],
    [
      '?limit=2&page=2',
      ['bank'],
      { total: 3, page: 2, limit: 2, totalPages: 2, hasNextPage: false, hasPreviousPage: true },
    ],
    ['?type=BANK', ['bank'], { total: 1 }],
    ['?currency=usdt', ['customer', 'wallet'], { total: 2 }],
    ['?currency=EUR', [], { total: 0, totalPages: 0, hasNextPage: false, hasPreviousPage: false }],
  ])('lists for "%s"', async (query, expected, pagination) => {
    const { body } = await own.get<PayoutMethod[]>(`/payout/methods${query}`);
    expect(Object.keys(body).sort()).toEqual(['data', 'message', 'pagination', 'status']);
    expect(body.data.map(({ id }) => id)).toEqual(expected.map((name) => ids[name]));
    expect(body.pagination).toMatchObject(pagination);
    expect(Object.keys(body.pagination ?? {}).sort()).toEqual([
      'hasNextPage',
      'hasPreviousPage',
      'limit',
      'page',
      'total',
      'totalPages',
    ]);
  });

  it('lists one customer’s', async () => {
    const listed = await dataOf(own.get(`/payout/methods?customer_id=${customer_id}`));
    expect(listed).toEqual([{ ...common, id: ids['customer'], type: 'WALLET', ...WALLET, label: null, customer_id }]);
  });

  it.each([
    ['type=bank', { type: 'invalid_choice' }],
    ['page=0', { page: 'invalid_page' }],
    ['limit=101', { limit: 'invalid_limit' }],
    ['label=x', { label: 'unknown_field' }],
  ])('refuses %s', async (query, expected) => {
    expect(await fieldErrorsOf(own.get(`/payout/methods?${query}`))).toEqual(expected);
  });
});

describe('DELETE /payout/methods/{id}', () => {
  covers('DELETE /payout/methods/{payout_method_id}');

  it('deletes the merchant’s own, once', async () => {
    const { id } = await dataOf(merchant.post<PayoutMethod>('/payout/methods/wallets', WALLET));
    const { status, body } = await merchant.delete(`/payout/methods/${id}`);
    expect([status, body]).toEqual([
      200,
      { status: 'success', message: expect.stringContaining('Merchant') as unknown },
    ]);
    await refusalOf(merchant.delete(`/payout/methods/${id}`), 404, 'not_found');
  });

  it('deletes a customer’s only by naming that customer', async () => {
    const [owner, other] = [await createIndividual(merchant), await createIndividual(merchant)];
    const { id } = await dataOf(
      merchant.post<PayoutMethod>('/payout/methods/banks', { ...BANK, customer_id: owner.id }),
    );
    await refusalOf(merchant.delete(`/payout/methods/${id}`), 404, 'not_found');
    await refusalOf(merchant.delete(`/payout/methods/${id}`, { customer_id: other.id }), 404, 'not_found');
    const { status, body } = await merchant.delete(`/payout/methods/${id}`, { customer_id: owner.id });
    expect([status, body]).toEqual([
      200,
      { status: 'success', message: expect.stringContaining('Customer') as unknown },
    ]);
  });
});
