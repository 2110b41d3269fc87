import { randomUUID } from 'node:crypto';
import { individual } from '@stablecoin/testing/person';
import { Client as Postgres } from 'pg';
import { eventually } from '@stablecoin/testing/eventually';
import { testStack } from '@stablecoin/testing/stack';
import { Answer, Client, dataOf, fieldErrorsOf, refusalOf } from './client';
import { covers } from './covers';
import { documentedRoutes } from './interface-document';
import { newClient } from './merchants';
import { ADDRESSES, balanceOf, createIndividual, openWallet } from './people';
import { InnerEnvelope, PayoutMethod, Transaction, Wallet } from './resources';
import { BANK, equip, METHOD, PAIR, Write, WRITES } from './writes';

covers('Rules: idempotency');

const REPLAYED = 'idempotency-replayed';
let merchant: Client;

beforeAll(async () => {
  merchant = await newClient();
  await equip(merchant);
});

const methodOf = (route: string) => route.split(' ')[0] ?? '';

it('every route that changes something is here', async () => {
  const documented = documentedRoutes()
    .filter(({ takesForm }) => !takesForm)
    .map(({ route }) => route)
    .filter((route) => methodOf(route) !== 'GET');
  const tested = WRITES.map(([route]) => route);
  expect(documented.filter((route) => !tested.includes(route))).toEqual([]);
});

describe.each(WRITES)('%s', (route, prepare) => {
  const send = ({ path, by = merchant }: Write, body: unknown, idempotencyKey: string) =>
    by.send(methodOf(route), path, body, { idempotencyKey });

  it('is answered again, byte for byte, to the same key and body', async () => {
    const write = await prepare(merchant);
    const idempotencyKey = randomUUID();
    const first = await send(write, write.body, idempotencyKey);
    expect([first.body.status, first.headers.get(REPLAYED)]).toEqual(['success', null]);
    for (let time = 0; time < 2; time += 1) {
      const again = await send(write, write.body && reversed(write.body), idempotencyKey);
      expect([again.status, again.text, again.headers.get(REPLAYED)]).toEqual([first.status, first.text, 'true']);
    }
  });

  it('is refused with another body under the same key, and stays as it was', async () => {
    const write = await prepare(merchant);
    if (!write.other) return expect(write.body).toBeUndefined();
    const idempotencyKey = randomUUID();
    const first = await send(write, write.body, idempotencyKey);
    const asked = send(write, { ...write.body, ...write.other }, idempotencyKey);
    await refusalOf(asked, 422, 'idempotency_key_reused');
    expect((await send(write, write.body, idempotencyKey)).text).toBe(first.text);
  });

  it('uses up no key when it is refused, neither for its fields nor by a business rule', async () => {
    const write = await prepare(merchant);
    const idempotencyKey = randomUUID();
    await fieldErrorsOf(send(write, { ...write.body, nonsense: 1 }, idempotencyKey));
    if (write.refused) {
      const [code, change] = write.refused;
      const refused = await send(write, { ...write.body, ...change }, idempotencyKey);
      expect([refused.body.code, refused.headers.get(REPLAYED)]).toEqual([code, null]);
    }
    const taken = await send(write, write.body, idempotencyKey);
    expect([taken.body.status, taken.headers.get(REPLAYED)]).toEqual(['success', null]);
  });

  it('is in flight until it has taken effect', async () => {
    const write = await prepare(merchant);
    const idempotencyKey = randomUUID();
    const release = await holdBackResults();
    try {
      const both = [1, 2].map(() => send(write, write.body, idempotencyKey));
      await refusalOf(Promise.race(both), 409, 'idempotency_in_flight');
      await release();
      const [refused, taken] = (await Promise.all(both)).sort((one, other) => other.status - one.status);
      expect([refused?.status, taken?.body.status, taken?.headers.get(REPLAYED)]).toEqual([409, 'success', null]);
      expect((await send(write, write.body, idempotencyKey)).text).toBe(taken?.text);
    } finally {
      await release();
    }
  });

  it('gives its stored response to each of 20 repeats at once', async () => {
    const write = await prepare(merchant);
    const idempotencyKey = randomUUID();
    const first = await send(write, write.body, idempotencyKey);
    const repeats = await Promise.all(Array.from({ length: 20 }, () => send(write, write.body, idempotencyKey)));
    for (const repeat of repeats) {
      expect([repeat.status, repeat.text, repeat.headers.get(REPLAYED)]).toEqual([first.status, first.text, 'true']);
    }
  });

  it('takes effect once when it comes 30 times at once', async () => {
    const write = await prepare(merchant);
    const idempotencyKey = randomUUID();
    const ask = () => settling(() => send(write, write.body, idempotencyKey));
    const settled = await Promise.all(Array.from({ length: 30 }, ask));
    expect(new Set(settled.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(settled[0]?.body.status).toBe('success');
    expect(settled.filter(({ headers }) => headers.get(REPLAYED) === null)).toHaveLength(1);
  });
});

/**
 * Keeps every service from storing the result of a command, so that commands sent meanwhile stay under way: the result
 * is the last thing that a command writes before it takes effect.
 */
async function holdBackResults(): Promise<() => Promise<void>> {
  // The chain service and the backoffice take no command of a merchant, and have no such table.
  const { chain: _, backoffice: __, ...databases } = testStack().owner_databases;
  const held = Object.values(databases).map((connectionString) => new Postgres({ connectionString }));
  const release = async () => {
    await Promise.all(held.splice(0).map((database) => database.end()));
  };
  try {
    for (const database of held) {
      await database.connect();
      await database.query('BEGIN; LOCK TABLE command_results IN EXCLUSIVE MODE');
    }
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}

describe('of 100 identical requests at once', () => {
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
});

it('requests for a customer get the same answers, byte for byte, after it was renamed and closed', async () => {
  const { id: customer_id } = await createIndividual(merchant);
  const sent: [method: string, path: string, body: unknown, idempotencyKey: string, first: string][] = [];
  async function send<Data>(method: string, path: string, fields: Record<string, unknown> = {}): Promise<Data> {
    const [body, idempotencyKey] = [{ ...fields, customer_id }, randomUUID()];
    const answer = await merchant.send<Data>(method, path, body, { idempotencyKey });
    sent.push([method, path, body, idempotencyKey, answer.text]);
    expect(answer.body.status).toBe('success');
    return answer.body.data;
  }
  const wallet = await send<Wallet>('POST', '/wallets', { currency: 'USD' });
  await send('POST', '/wallets', { currency: 'EUR' });
  await dataOf(merchant.post('/sandbox/deposits', { wallet_id: wallet.id, amount: '2' }));
  const euros = { from_currency: 'USD', to_currency: 'EUR', amount: '1' };
  const quote = await send<InnerEnvelope>('POST', '/instant-swaps', euros);
  await send('POST', `/swaps/${quote.data.id}/refresh`, euros);
  const { creditTransaction } = await send<{ creditTransaction: Transaction }>('POST', '/swaps', euros);
  const bank = { ...BANK, account_number: '0123456789' };
  await send('POST', '/payouts/banks', { ...bank, currency: 'USD', amount: '1' });
  await send('POST', '/payouts/banks', { ...bank, currency: 'EUR', amount: creditTransaction.amount });
  const method = await send<PayoutMethod>('POST', '/payout/methods/wallets', METHOD);
  await send('DELETE', `/payout/methods/${method.id}`);

  await dataOf(merchant.put(`/individual-customers/${customer_id}`, { first_name: 'Renamed' }));
  await eventually('the customer can be closed', async () => {
    return (await merchant.post(`/customers/${customer_id}/close`)).status === 200;
  });
  await eventually('no service takes it for open any more', async () => {
    return (await merchant.post('/instant-swaps', { ...euros, customer_id })).body.code === 'customer_closed';
  });
  for (const [verb, path, body, idempotencyKey, first] of sent) {
    const again = await merchant.send(verb, path, body, { idempotencyKey });
    expect([path, again.text, again.headers.get(REPLAYED)]).toEqual([path, first, 'true']);
  }
});

describe('a key', () => {
  it('is not used up by a refusal: neither of the fields nor by a business rule', async () => {
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
    const otherMerchant = await newClient();
    const quote = { from_currency: 'USD', to_currency: 'EUR', amount: '1' };
    const answers = [
      await merchant.post('/instant-swaps', quote, { idempotencyKey }),
      await merchant.post('/payout/methods/wallets', METHOD, { idempotencyKey }),
      await otherMerchant.post('/instant-swaps', quote, { idempotencyKey }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get(REPLAYED)])).toEqual(Array(3).fill([200, null]));
  });

  it('is another one on another customer’s path', async () => {
    const idempotencyKey = randomUUID();
    for (let count = 0; count < 2; count += 1) {
      const { id } = await createIndividual(merchant);
      const answer = await merchant.put<Person>(
        `/individual-customers/${id}`,
        { first_name: 'Bea' },
        { idempotencyKey },
      );
      expect([answer.headers.get(REPLAYED), answer.body.data.id]).toEqual([null, id]);
      expect(answer.body.data.personal_info.first_name).toBe('Bea');
    }
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

interface Person {
  id: string;
  personal_info: { first_name: string };
}

/** What a client does while its request is still running elsewhere: sends it again until it receives the outcome. */
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
