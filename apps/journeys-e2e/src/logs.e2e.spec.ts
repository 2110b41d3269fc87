/**
 * Plants values that must not be logged, at the most verbose level: through every service, in requests that are served,
 * refused and malformed, and while the databases refuse, fail and cut connections. Then it searches for them in
 * everything that the processes of the stack wrote.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import { individual } from '@stablecoin/testing/person';
import { Client as Postgres } from 'pg';
import { Answer, Client, dataOf } from './client';
import { newClient } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { deposit, openWallet } from './people';
import { Customer, Wallet } from './resources';

type Database = keyof OwnStack['description']['owner_databases'];

const PLANTED_KEY = `sk_test_planted_${randomUUID()}`;
const PDF = Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(64)]);
const PERSON = {
  first_name: 'Zebulonia',
  last_name: 'Quartermainex',
  email: 'zebulonia.q@planted-mail.example',
  phone: '+2348099887766',
  birth_date: '1987-03-19',
  registered_address: {
    street1: '77 Plantedname Crescent',
    city: 'Plantedcity',
    state: 'Lagos',
    postal_code: '998877',
    country: 'NG',
  },
};
const BUSINESS = {
  business_name: 'Plantedfirm Holdings',
  email: 'office@plantedfirm.example',
  phone: '+2348011223399',
  tax_identification_number: '98765432-0099',
};
const ACCOUNT = '9081726354';
const RECIPIENT = 'Ignatius Plantedrecipient';
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const UNKNOWN_KEY = 'planted-key-of-no-merchant';
const IN_QUERY = 'plantedquery';
const FIELD_NAME = 'planted_field_name';

const CANARIES = [
  PLANTED_KEY,
  PERSON.first_name,
  PERSON.last_name,
  PERSON.email,
  PERSON.phone.slice(1),
  PERSON.birth_date,
  PERSON.registered_address.street1,
  PERSON.registered_address.city,
  BUSINESS.business_name,
  BUSINESS.email,
  BUSINESS.phone.slice(1),
  BUSINESS.tax_identification_number,
  ACCOUNT,
  RECIPIENT,
  ADDRESS,
  PDF.subarray(9).toString('base64').slice(4, 60),
  UNKNOWN_KEY,
  IN_QUERY,
  FIELD_NAME,
];

let own: OwnStack;
let merchant: Client;
let dollars: Wallet;
let customer: Customer;

beforeAll(async () => {
  own = await startOwnStack({ LOG_LEVEL: 'verbose', SANDBOX_API_KEY: PLANTED_KEY });
  merchant = await newClient([], own.description);
  dollars = await openWallet(merchant, { currency: 'USD' }, '1000');
}, 120_000);
afterAll(() => own?.stop(), 90_000);

const files = () => readdirSync(join(own.description.data_dir, 'logs'));
const textOf = (file: string) => readFileSync(join(own.description.data_dir, 'logs', file), 'utf8');
const SERVICES = ['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout'];

function linesOf(service: string): Record<string, unknown>[] {
  const lines = textOf(`${service}.log`).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const person = (changes: Record<string, unknown> = {}) => individual({ ...PERSON, ...changes });
const documents = {
  user_documents: [{ doc_type: 'OTHER', doc_image: `data:application/pdf;base64,${PDF.toString('base64')}` }],
};
const payout = (changes: Record<string, unknown> = {}) => {
  const recipient = { account_number: ACCOUNT, bank_code: '011', recipient_name: RECIPIENT };
  return { currency: 'USD', amount: '1', ...recipient, ...changes };
};

/** Sends personal data in every way that the interface has; other specs check the answers. */
function sendAll(client: Client): Promise<Answer<unknown>[]> {
  return Promise.all([
    client.post('/individual-customers', person(documents)),
    client.put(`/individual-customers/${customer.id}`, PERSON),
    client.post('/business-customers', BUSINESS),
    client.put(`/individual-customers/${customer.id}`, { ...PERSON, [FIELD_NAME]: RECIPIENT }),
    client.post('/payouts/banks', payout()),
    client.post('/payouts/banks', payout({ amount: '100000' })),
    client.post('/payouts/banks', payout({ account_number: `${ACCOUNT}x` })),
    client.post('/payouts/wallets', { currency: 'USD', amount: '1', network: 'erc20', address: ADDRESS }),
    client.post('/payout/methods/banks', {
      currency: 'USD',
      account_number: ACCOUNT,
      bank_code: '011',
      account_name: RECIPIENT,
    }),
    client.post('/instant-swaps', { from_currency: 'USD', to_currency: 'NGN', amount: '1' }),
    client.post('/individual-customers', undefined, { raw: `{"first_name":"${PERSON.first_name}", ${PERSON.email}` }),
    client.get(`/transactions?${FIELD_NAME}=${IN_QUERY}`),
    client.get('/customers', { headers: { 'x-api-key': UNKNOWN_KEY } }),
    client.get('/customers'),
  ]);
}

async function inDatabase(name: Database, work: (owner: Postgres) => Promise<void>): Promise<void> {
  const owner = new Postgres({ connectionString: own.description.owner_databases[name] });
  await owner.connect();
  try {
    await work(owner);
  } finally {
    await owner.end();
  }
}

it('every service works, refuses and fails with what was planted', async () => {
  customer = await dataOf(merchant.post<Customer>('/individual-customers', individual()), 201);
  const served = await sendAll(merchant);
  expect(served.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 201, 400, 401, 422]));

  const broken: [Database, string, string][] = [
    ['customer', 'ALTER TABLE customers RENAME TO gone', 'ALTER TABLE gone RENAME TO customers'],
    ['payout', 'ALTER TABLE payout_methods RENAME TO gone', 'ALTER TABLE gone RENAME TO payout_methods'],
    ['ledger', 'REVOKE INSERT ON transactions FROM ledger_app', 'GRANT INSERT ON transactions TO ledger_app'],
    ['swap', 'ALTER TABLE quotes RENAME TO gone', 'ALTER TABLE gone RENAME TO quotes'],
  ];
  for (const [name, breakIt, mendIt] of broken) {
    await inDatabase(name, async (owner) => {
      await owner.query(breakIt);
      try {
        const statuses = (await sendAll(merchant)).map(({ status }) => status);
        expect({ name, failed: statuses.some((status) => status >= 500) }).toEqual({ name, failed: true });
      } finally {
        await owner.query(mendIt);
      }
    });
  }

  await inDatabase('customer', async (owner) => {
    const sent = sendAll(merchant);
    for (let times = 0; times < 20; times += 1) {
      await owner.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE '%\\_app'`);
    }
    await sent;
  });
  process.kill(own.description.pids.payout, 'SIGABRT');
  // A simulated deposit needs the payout service, so its success shows that the service is back.
  const deposited = { wallet_id: dollars.id, amount: '1' };
  await eventually('it works again', async () => (await merchant.post('/sandbox/deposits', deposited)).status < 300, {
    timeoutMs: 30_000,
  });
}, 120_000);

it('and none of it is in any log, nor any secret of the stack', () => {
  const secrets = JSON.parse(readFileSync(join(own.description.data_dir, 'secrets.json'), 'utf8')) as Record<
    string,
    string
  >;
  const canaries = [...CANARIES, ...Object.values(secrets), merchant.apiKey as string];
  expect(Object.values(secrets).length).toBeGreaterThan(8);
  const found = files().flatMap((file) => {
    const text = textOf(file);
    return canaries.filter((canary) => text.includes(canary)).map((canary) => `${file}: ${canary}`);
  });
  expect(found).toEqual([]);
  for (const service of SERVICES) expect(textOf(`${service}.log`)).not.toBe('');
});

it('the failures were logged, each with its error and the request that met it', () => {
  for (const service of ['customer', 'payout', 'wallet-ledger', 'swap-pricing']) {
    const failures = linesOf(service).filter(({ level, request_id }) => level === 'error' && request_id !== undefined);
    expect(failures.map(({ error }) => error)).toContainEqual(
      expect.objectContaining({ message: expect.any(String), stack: expect.stringContaining('\n') }),
    );
  }
});

it('one request is found by its id in every service that it went through, with its merchant and command', async () => {
  const id = `request-${randomUUID()}`;
  const headers = { 'x-request-id': id };
  await deposit(merchant, dollars.id, '1');
  const answer = await merchant.post('/payouts/banks', payout({ amount: '100000' }), { headers });
  expect(answer.status).toBe(422);
  const of = (service: string) => linesOf(service).filter(({ request_id }) => request_id === id);
  const [request] = await eventually('the request is logged', () => {
    const found = of('gateway').filter(({ message }) => message === 'request');
    return found.length === 1 && found;
  });
  const ids = {
    merchant_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    command_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  };
  const outcome = { status: 422, code: 'insufficient_funds', duration_ms: expect.any(Number) };
  expect(request).toMatchObject({ ...ids, ...outcome, level: 'info', method: 'POST', route: '/api/payouts/banks' });
  const { merchant_id, command_id } = request as Record<string, unknown>;
  expect(of('wallet-ledger')).toEqual([
    expect.objectContaining({ message: 'refused', code: 'insufficient_funds', merchant_id, command_id }),
  ]);
});

it('processes say that they have started, stop and have stopped', async () => {
  process.kill(own.description.pids['swap-pricing'], 'SIGTERM');
  await eventually('it has said so', () => linesOf('swap-pricing').some(({ message }) => message === 'stopped'));
  const told = linesOf('swap-pricing').filter(({ context }) => context === 'Process');
  expect(told.map(({ message }) => message).slice(0, 3)).toEqual(['started', 'stopping', 'stopped']);
});
