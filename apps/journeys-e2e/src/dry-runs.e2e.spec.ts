import { randomUUID } from 'node:crypto';
import { testStack } from '@stablecoin/testing/stack';
import { Answer, Client, dataOf, fieldErrorsOf, refusalOf } from './client';
import { covers } from './covers';
import { createMerchant, operatorOf } from './merchants';
import { asDryRun } from './model/dry-runs';
import { ADDRESSES, balanceOf, createIndividual, openWallet } from './people';
import { InnerEnvelope, Quote, Swap, Transaction } from './resources';
import { BANK, PAIR } from './writes';

covers('Rules: dry runs');

const FEES = ['--payout-fee-flat', '0.5', '--payout-fee-basis-points', '100'];
let merchant: Client;
let merchantId: string;
let usdt: string;

beforeAll(async () => {
  const { merchant_id, api_key } = await createMerchant(FEES);
  merchantId = merchant_id;
  merchant = new Client(testStack().base_url, api_key);
  usdt = (await openWallet(merchant, { currency: 'USDT', network: 'trc20' }, '1000')).id;
  await openWallet(merchant, { currency: 'NGN' });
});

type Body = Record<string, unknown>;
type Route = '/payouts/banks' | '/payouts/wallets' | '/swaps';

const BODIES: Record<Route, Body> = {
  '/payouts/banks': { currency: 'USDT', amount: '10', ...BANK, recipient_currency: 'NGN' },
  '/payouts/wallets': { currency: 'USDT', amount: '10', address: ADDRESSES.trc20, network: 'trc20' },
  '/swaps': { ...PAIR, amount: '10' },
};
const ROUTES = Object.keys(BODIES) as Route[];

const quote = async (changes: Body = {}): Promise<Quote> =>
  (await dataOf(merchant.post<InnerEnvelope>('/instant-swaps', { ...BODIES['/swaps'], ...changes }))).data;

/** Sends the request as a dry run; everything that the merchant can see must be as before. */
async function tried<Data>(path: Route, body: Body, idempotencyKey?: string): Promise<Answer<Data>> {
  const before = await seen();
  const answer = await merchant.post<Data>(path, { ...body, dry_run: true }, idempotencyKey ? { idempotencyKey } : {});
  expect(await seen()).toEqual(before);
  expect(answer.headers.get('idempotency-replayed')).toBeNull();
  return answer;
}

/** Not the transactions' states: payouts of earlier tests may settle at any time. */
async function seen(): Promise<unknown> {
  const { body } = await merchant.get<Transaction[]>('/transactions?limit=100');
  return [await balanceOf(merchant, usdt), body.pagination, body.data.map(({ id }) => id)];
}

/** The same of both: status, code, fields that were refused; and of a success all that is not of the record. */
function expectSame(dry: Answer<object>, came: Answer<object>): void {
  const { code, errors } = came.body;
  expect([dry.status, dry.body.code, dry.body.errors]).toEqual([came.status, code, errors]);
  if (came.status === 200) expect(dry.body.data).toEqual(asDryRun(came.body.data as Body));
}

describe.each(ROUTES)('a dry run of POST %s', (path) => {
  beforeEach(async () => void (path === '/swaps' && (await quote())));

  it('gives what the request then gives, and writes nothing', async () => {
    const dry = await tried<Body>(path, BODIES[path]);
    expect(dry.body.data).toMatchObject({ dry_run: true });
    const came = await merchant.post<Body>(path, BODIES[path]);
    expect(came.body.data).not.toHaveProperty('dry_run');
    expectSame(dry, came);
  });

  it('leaves its Idempotency-Key unused, and is judged anew once the key has a result', async () => {
    const idempotencyKey = randomUUID();
    const dry = await tried<Body>(path, BODIES[path], idempotencyKey);
    expect((await tried<Body>(path, BODIES[path], idempotencyKey)).text).toBe(dry.text);
    const came = await merchant.post<Body>(path, { ...BODIES[path], dry_run: false }, { idempotencyKey });
    expect(came.headers.get('idempotency-replayed')).toBeNull();
    expectSame(dry, came);
    const later = await tried<Transaction>(path, BODIES[path], idempotencyKey);
    if (path === '/swaps') expect(later.body.code).toBe('quote_used');
    else expect(later.body.data.balance).not.toBe((dry.body.data as Partial<Transaction>).balance);
    for (const idle of [{}, { dry_run: null }, { dry_run: false }]) {
      const again = await merchant.post(path, { ...BODIES[path], ...idle }, { idempotencyKey });
      expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([came.text, 'true']);
    }
  });

  it('is named by true, and by nothing else', async () => {
    for (const dry_run of ['yes', 'true', 1, [], {}]) {
      const asked = merchant.post(path, { ...BODIES[path], dry_run });
      expect(await fieldErrorsOf(asked)).toEqual({ dry_run: 'invalid_boolean' });
    }
  });

  it('needs the scope that the request needs', async () => {
    const scopes = path === '/swaps' ? 'read,payout' : 'read,write';
    const made = await operatorOf().run(['merchants', 'add-key', '--merchant', merchantId, '--scopes', scopes]);
    const limited = new Client(testStack().base_url, (JSON.parse(made) as { api_key: string }).api_key);
    await refusalOf(limited.post(path, { ...BODIES[path], dry_run: true }), 403, 'insufficient_scope');
  });
});

describe('what a dry run tells', () => {
  it('of a payout: fee, what it is worth, and the balance after it', async () => {
    const balance = Number(await balanceOf(merchant, usdt));
    const { data } = (await tried<Body>('/payouts/banks', BODIES['/payouts/banks'])).body;
    const { fee, exchange_rate, amount_fiat } = data as Record<string, string>;
    expect(fee).toBe('0.60000000');
    expect(Number(data['balance'])).toBeCloseTo(balance - 10.6, 8);
    expect(Number(amount_fiat)).toBeCloseTo(10 * Number(exchange_rate), 6);
    expect(data).toMatchObject({
      status: 'PENDING',
      bank_account: BANK.account_number,
      id: null,
      transaction_id: null,
    });
  });

  it('of a swap: the quote that it would use, which stays open', async () => {
    await quote({ amount: '7' });
    const latest = await quote({ amount: '7' });
    const dry = await tried<Swap>('/swaps', { ...PAIR, amount: '7' });
    expect(dry.body.data).toMatchObject({
      swapId: latest.id,
      debitTransaction: { id: null, amount: latest.from_amount, exchange_rate: latest.quoted_price },
      creditTransaction: { id: null, amount: latest.to_amount },
    });
    expect(await dataOf(merchant.get(`/swaps/${latest.id}`))).toMatchObject({ confirmed: false });
    expect(await dataOf(merchant.post(`/swaps/${latest.id}/refresh`, { ...PAIR, from_amount: '7' }))).toBeDefined();
    expectSame(dry, await merchant.post<Swap>('/swaps', { ...PAIR, amount: '7' }));
  });
});

describe('a dry run is refused as the request is, whichever of several reasons comes first', () => {
  const asked = new Map<string, Body>();

  beforeAll(async () => {
    const closed = await createIndividual(merchant);
    await dataOf(merchant.post(`/customers/${closed.id}/close`));
    const unapproved = await createIndividual(merchant);
    const named = ['--merchant', merchantId, '--customer', unapproved.id];
    await operatorOf().run(['customers', 'set-kyc-status', ...named, '--status', 'rejected', '--reason', 'case 1']);
    const poor = await createIndividual(merchant);
    await openWallet(merchant, { customer_id: poor.id, currency: 'USDT', network: 'trc20' });
    await openWallet(merchant, { customer_id: poor.id, currency: 'NGN' });
    for (const [name, id] of Object.entries({ closed, unapproved, poor })) asked.set(name, { customer_id: id.id });
    asked.set('unknown', { customer_id: randomUUID() });
    asked.set('merchant', {});
  });

  it.each<[Route, string, Body, string]>([
    ['/payouts/banks', 'unknown', { amount: '0' }, 'validation_failed'],
    ['/payouts/banks', 'unknown', { currency: 'EUR' }, 'not_found'],
    ['/payouts/banks', 'closed', { currency: 'EUR' }, 'customer_closed'],
    ['/payouts/banks', 'unapproved', { currency: 'EUR' }, 'kyc_required'],
    ['/payouts/banks', 'poor', { currency: 'EUR', amount: '999999' }, 'wallet_not_found'],
    ['/payouts/banks', 'poor', {}, 'insufficient_funds'],
    ['/payouts/banks', 'merchant', { amount: '99999' }, 'insufficient_funds'],
    ['/payouts/wallets', 'unknown', { amount: 0 }, 'validation_failed'],
    ['/payouts/wallets', 'closed', {}, 'customer_closed'],
    ['/payouts/wallets', 'unapproved', {}, 'kyc_required'],
    ['/payouts/wallets', 'poor', { currency: 'USDC', network: 'erc20', address: ADDRESSES.erc20 }, 'wallet_not_found'],
    ['/payouts/wallets', 'poor', {}, 'insufficient_funds'],
    ['/swaps', 'unknown', { from_currency: 'NGN' }, 'not_found'],
    ['/swaps', 'closed', { from_currency: 'NGN' }, 'customer_closed'],
    ['/swaps', 'merchant', { quote_id: randomUUID(), from_currency: 'NGN' }, 'not_found'],
    ['/swaps', 'merchant', { from_currency: 'NGN' }, 'unsupported_pair'],
    ['/swaps', 'poor', {}, 'quote_required'],
  ])('%s for %s with %j: %s', async (path, who, changes, code) => {
    const body = { ...BODIES[path], ...asked.get(who), ...changes };
    for (const idempotencyKey of [undefined, randomUUID()]) {
      const dry = await tried<Body>(path, body, idempotencyKey);
      expect(dry.body.code).toBe(code);
      expectSame(dry, await merchant.post<Body>(path, body, idempotencyKey ? { idempotencyKey } : {}));
    }
  });

  it('a swap: another amount than the quote’s before a used quote, no wallet before no money', async () => {
    const owner = asked.get('poor') ?? {};
    const { id: quote_id } = await quote({ ...owner, to_currency: 'USD' });
    const expectBoth = async (body: Body, code: string) => {
      const dry = await tried<Body>('/swaps', body);
      expect(dry.body.code).toBe(code);
      expectSame(dry, await merchant.post<Body>('/swaps', body));
    };
    await expectBoth({ ...owner, ...PAIR, to_currency: 'USD', amount: '11', quote_id }, 'quote_mismatch');
    await expectBoth({ ...owner, ...PAIR, to_currency: 'USD', amount: '10' }, 'wallet_not_found');
    await quote(owner);
    await expectBoth({ ...owner, ...PAIR, amount: '10' }, 'insufficient_funds');
  });
});
