import { PNG } from '@stablecoin/testing/person';
import { Answer, Client, dataOf, fieldErrorsOf } from './client';
import { covers } from './covers';
import { newClient } from './merchants';
import { ADDRESSES, createBusiness, createIndividual, deposit, openWallet } from './people';
import {
  ACCOUNT_PURPOSES,
  DOCUMENT_TYPES,
  EMPLOYMENT_STATUSES,
  FIAT,
  NETWORKS_OF,
  OCCUPATIONS,
  SOURCES_OF_FUNDS,
  TRANSACTION_MODES,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  WALLET_CURRENCIES,
} from './reference-values';
import { Customer, InnerEnvelope, Transaction } from './resources';

interface Finances {
  financial_info: Record<string, string | null>;
}

let merchant: Client;
let person: Customer;
let firm: Customer;

beforeAll(async () => {
  merchant = await newClient();
  person = await createIndividual(merchant);
  firm = await createBusiness(merchant);
});

/** PERSONAL_OR_LIVING_EXPENSES → Personal or living expenses. */
function readable(code: string): string {
  return code.charAt(0) + code.slice(1).toLowerCase().split('_').join(' ');
}

const put = async (customer: Customer, change: object) =>
  (await dataOf(merchant.put<Finances>(`/${customer.customer_type}-customers/${customer.id}`, change))).financial_info;

describe('a closed set of the customer', () => {
  covers('Values: closed sets and their readable texts', 'Resource: customer');

  it.each<[string, string[], () => Customer]>([
    ['account_purpose', ACCOUNT_PURPOSES, () => person],
    ['employment_status', EMPLOYMENT_STATUSES, () => person],
    ['source_of_funds', SOURCES_OF_FUNDS, () => person],
    ['account_purpose', [...ACCOUNT_PURPOSES, 'OPERATING_A_COMPANY'], () => firm],
    ['source_of_funds', SOURCES_OF_FUNDS, () => firm],
  ])('%s: each of %j reads as text, and is taken back as text', async (field, codes, customer) => {
    for (const code of codes) {
      for (const change of [
        { [field]: code },
        { [field]: readable(code) },
        { financial_info: { [field]: readable(code) } },
      ]) {
        expect([change, (await put(customer(), change))[field]]).toEqual([change, readable(code)]);
      }
    }
    const looked = await dataOf(merchant.get<Finances>(`/customers/${customer().id}`));
    expect(looked.financial_info[field]).toBe(readable(codes.at(-1) ?? ''));
  });

  it('of a business is open: another text stays as it is', async () => {
    expect(await put(firm, { account_purpose: 'Shipping, mostly' })).toMatchObject({
      account_purpose: 'Shipping, mostly',
    });
  });

  it.each([
    ['business_type', 'LIMITED_LIABILITY_COMPANY'],
    ['estimated_annual_revenue_usd', 'HUNDRED_THOUSAND_TO_MILLION'],
  ])('%s takes %s', async (field, value) => {
    await put(firm, { [field]: value });
  });

  it.each(DOCUMENT_TYPES)('a document can be of the type %s', async (doc_type) => {
    const documents = [{ doc_type, sub_type: 'front', doc_image: PNG, doc_country: 'NG' }];
    await put(person, { documents });
    await put(person, { documents: [{ doc_type, doc_image: 'https://files.example.com/a.pdf' }] });
  });
});

describe('an occupation', () => {
  covers('Values: occupations');

  it('has one of 375 codes, each with a title of its own, which is taken back', async () => {
    expect(new Set(OCCUPATIONS).size).toBe(375);
    const titles = new Set<string>();
    for (const code of OCCUPATIONS) {
      const { most_recent_occupation: title } = await put(person, { most_recent_occupation: code });
      expect([code, title]).toEqual([code, expect.stringMatching(/^[A-Z][a-z].{3,}/)]);
      expect([code, await put(person, { most_recent_occupation: title })]).toMatchObject([
        code,
        { most_recent_occupation: title },
      ]);
      titles.add(title ?? '');
    }
    expect(titles.size).toBe(375);
  });

  it.each(['151251 ', '15-1251', '15124x', '15124', '999999', '1512511'])('is not %j', async (code) => {
    const update = merchant.put(`/individual-customers/${person.id}`, { most_recent_occupation: code });
    expect(await fieldErrorsOf(update)).toEqual({ most_recent_occupation: 'invalid_choice' });
  });
});

describe('a currency and its networks', () => {
  covers('Values: closed sets and their readable texts', 'POST /wallets', 'GET /asset-codes');

  it('of a wallet: each there is, with each network it has', async () => {
    const { id: customer_id } = await createIndividual(merchant);
    for (const currency of WALLET_CURRENCIES) {
      for (const network of NETWORKS_OF[currency] ?? [undefined]) {
        const wallet = await dataOf(merchant.post('/wallets', { customer_id, currency, network }));
        expect(wallet).toMatchObject({ currency, asset_type: FIAT.includes(currency) ? 'FIAT' : 'STABLECOIN' });
      }
    }
  });

  it('of a swap: every two different ones, in either case', async () => {
    for (const from of WALLET_CURRENCIES) {
      for (const to_currency of WALLET_CURRENCIES) {
        const pair = { from_currency: from.toLowerCase(), to_currency, amount: '1000000' };
        const { status, body } = await merchant.post('/instant-swaps', pair);
        expect([pair, status, body.code]).toEqual(
          from === to_currency ? [pair, 422, 'unsupported_pair'] : [pair, 200, undefined],
        );
      }
    }
  });

  it('are the asset codes, with the networks capitalised', async () => {
    const assets = await dataOf(
      merchant.get<{ code: string; networks: { network: string }[] | null }[]>('/asset-codes'),
    );
    const listed = Object.fromEntries(
      assets.map(({ code, networks }) => [code, networks?.map(({ network }) => network) ?? null]),
    );
    const expected = WALLET_CURRENCIES.map((code) => [code, NETWORKS_OF[code]?.map(capitalised) ?? null]);
    expect(listed).toEqual(Object.fromEntries(expected));
  });

  it.each([
    ['status', TRANSACTION_STATUSES],
    ['transaction_type', TRANSACTION_TYPES],
    ['transaction_mode', TRANSACTION_MODES],
    ['currency', WALLET_CURRENCIES],
  ])('of a transaction: %s can be filtered by each of %j', async (name, values) => {
    for (const value of values)
      await dataOf(merchant.get(`/transactions?${new URLSearchParams({ [name]: value }).toString()}`));
  });
});

describe('what an answer holds', () => {
  covers('Values: timestamps, decimals and ids');

  it('is printed in one way, wherever it stands', async () => {
    const customer_id = person.id;
    const wallet = await openWallet(merchant, { customer_id, currency: 'USDT', network: 'trc20' });
    await openWallet(merchant, { customer_id, currency: 'NGN' });
    await deposit(merchant, wallet.id, '100');
    const pair = { customer_id, from_currency: 'USDT', to_currency: 'NGN', amount: '1' };
    const quote = await merchant.post<InnerEnvelope>('/instant-swaps', pair);
    const bank = { account_number: '0123450009', bank_code: '011', recipient_name: 'Ada' };
    const payout = await merchant.post<Transaction>('/payouts/banks', {
      customer_id,
      currency: 'USDT',
      amount: '1',
      ...bank,
    });
    const method = { currency: 'USDT', network: 'erc20', wallet_address: ADDRESSES.erc20 };
    const answers: Answer<unknown>[] = [
      quote,
      payout,
      await merchant.post('/swaps', pair),
      await merchant.post('/payout/methods/wallets', method),
      await merchant.put(`/individual-customers/${customer_id}`, {}),
      await merchant.put(`/business-customers/${firm.id}`, { expected_monthly_income: 5 }),
    ];
    const paths = [
      '/customers',
      `/customers/${customer_id}`,
      `/wallets?customer_id=${customer_id}`,
      `/wallets/${wallet.id}`,
      '/asset-codes',
      `/swaps/${quote.body.data.data.id}`,
      '/transactions',
      `/customers/transactions/by_customer_id/${customer_id}`,
      `/customers/transactions/by_txid/${payout.body.data.transaction_id}`,
      `/customers/transactions/by_ref_id/${quote.body.data.data.id}`,
      '/payout/methods',
    ];
    for (const path of paths) answers.push(await merchant.get(path));
    const found = answers.flatMap(({ body }) => leaves(body));
    for (const [name, value] of found) {
      const form = FORMS.find(([field]) => field.test(name))?.[1];
      if (form && value !== null) expect(`${name} ${String(value)}`).toMatch(new RegExp(`^${name} ${form.source}$`));
    }
    for (const [field] of FORMS) expect(found.filter(([name]) => field.test(name)).length).toBeGreaterThan(0);
  });
});

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;
const EIGHT = /\d+\.\d{8}/;
/** Fields by their names, and what each reads like. */
const FORMS: [RegExp, RegExp][] = [
  [/(_at|birth_date)$/, INSTANT],
  [/^(amount|balance|amount_fiat|from_amount|to_amount)$/, EIGHT],
  [/^(quoted_price|exchange_rate)$/, /\d+(\.\d{1,12})?/],
  [/^expected_monthly_income$/, /\d+\.\d\d/],
  [/^transaction_id$/, /[A-Z0-9]{10}/],
  [/^(id|.*_wallet_id|reference_id|customer_id|merchant_id|swapId)$/, /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/],
  [/^asset_code$/, /[A-Z]{3,4}/],
  [/^(total|page|limit|totalPages)$/, /\d+/],
];

/** Every field that isn't an object or a list, with the name that it has where it stands. */
function leaves(value: unknown, name = ''): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, name));
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, key));
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
