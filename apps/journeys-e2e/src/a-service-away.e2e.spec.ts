import { randomUUID } from 'node:crypto';
import { eventually } from '@stablecoin/testing/eventually';
import { individual } from '@stablecoin/testing/person';
import { auditJson } from './audit-command';
import { Answer, Client, dataOf } from './client';
import { covers } from './covers';
import { newClient, sandboxMerchant } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { balanceOf, deposit, openWallet } from './people';
import { Transaction, Wallet } from './resources';

covers('Rules: answers while a service is away');

type Service = 'customer' | 'wallet-ledger' | 'swap-pricing' | 'payout';
type Ask = (client: Client) => Promise<Answer<unknown>>;

const ANSWER_WITHIN_MS = 5_500;
const RECOVERS_WITHIN_MS = 20_000;
const BANK = { account_number: '0123450009', bank_code: '011', recipient_name: 'Ada' };
const PAIR = { from_currency: 'USD', to_currency: 'NGN', amount: '1' };

let own: OwnStack;
let merchant: Client;
let dollars: Wallet;

beforeAll(async () => {
  own = await startOwnStack();
  merchant = sandboxMerchant(own.description);
  dollars = await openWallet(merchant, { currency: 'USD' }, '1000');
}, 120_000);

afterAll(() => own?.stop(), 90_000);

const NEEDS: [Service, Record<string, Ask>, Record<string, Ask>][] = [
  [
    'customer',
    {
      'GET /customers': (client) => client.get('/customers'),
      'POST /individual-customers': (client) => client.post('/individual-customers', individual()),
    },
    {
      'GET /wallets': (client) => client.get('/wallets'),
      'GET /payout/methods': (client) => client.get('/payout/methods'),
    },
  ],
  [
    'wallet-ledger',
    {
      'GET /wallets': (client) => client.get('/wallets'),
      'POST /wallets': (client) => client.post('/wallets', { currency: 'EUR' }),
      'POST /payouts/banks': (client) => client.post('/payouts/banks', { currency: 'USD', amount: '1', ...BANK }),
    },
    {
      'GET /customers': (client) => client.get('/customers'),
      'POST /instant-swaps': (client) => client.post('/instant-swaps', PAIR),
    },
  ],
  [
    'swap-pricing',
    {
      'POST /instant-swaps': (client) => client.post('/instant-swaps', PAIR),
      'POST /swaps': (client) => client.post('/swaps', PAIR),
    },
    {
      'GET /transactions': (client) => client.get('/transactions'),
      'GET /payout/methods': (client) => client.get('/payout/methods'),
    },
  ],
  [
    'payout',
    { 'GET /payout/methods': (client) => client.get('/payout/methods') },
    {
      'GET /wallets': (client) => client.get('/wallets'),
      'POST /instant-swaps': (client) => client.post('/instant-swaps', PAIR),
    },
  ],
];

describe.each(NEEDS)('while %s hangs', (service, needing, others) => {
  it('requests that need it get 503 within their deadline, others are served, and it recovers by itself', async () => {
    const client = await newClient([], own.description);
    await dataOf(client.get('/customers')); // From now on the gateway has the key in its cache.
    const pid = own.description.pids[service];
    process.kill(pid, 'SIGSTOP');
    try {
      const answered = await Promise.all(
        [...Object.entries(needing), ...Object.entries(others)].map(([name, ask]) => timed(name, ask(client))),
      );
      expect(answered.map(({ name, outcome }) => `${name}: ${outcome}`)).toEqual([
        ...Object.keys(needing).map((name) => `${name}: 503 unavailable, with Retry-After`),
        ...Object.keys(others).map((name) => `${name}: 200`),
      ]);
      expect(Math.max(...answered.map(({ ms }) => ms))).toBeLessThan(ANSWER_WITHIN_MS);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    const [ask] = Object.values(needing) as [Ask];
    await eventually(`${service} answers again`, async () => (await ask(client)).status === 200, {
      timeoutMs: RECOVERS_WITHIN_MS,
    });
  }, 60_000);
});

describe('when a service is killed', () => {
  it('a payout under way is finished by the payout service that comes after it', async () => {
    const request = { currency: 'USD', amount: '1', ...BANK, account_number: '0123456789' };
    const { transaction_id } = await dataOf(merchant.post<Transaction>('/payouts/banks', request));
    process.kill(own.description.pids.payout, 'SIGKILL');
    await eventually(
      'the payout is completed',
      async () => {
        const found = await dataOf(merchant.get<Transaction>(`/customers/transactions/by_txid/${transaction_id}`));
        return found.status === 'COMPLETED';
      },
      { timeoutMs: RECOVERS_WITHIN_MS },
    );
  }, 60_000);

  it('the ledger lost under load has each payout exactly once, once the unknown ones were sent again', async () => {
    const euros = await openWallet(merchant, { currency: 'EUR' });
    await deposit(merchant, euros.id, '1000');
    const keys = Array.from({ length: 200 }, () => randomUUID());
    const unknown: number[] = [];
    const accepted = new Map<string, Transaction>();
    const payOut = async (idempotencyKey: string) => {
      const body = { currency: 'EUR', amount: '1', ...BANK };
      const answer = await merchant.post<Transaction>('/payouts/banks', body, { idempotencyKey });
      if (answer.status === 200) accepted.set(idempotencyKey, answer.body.data);
      else unknown.push(answer.status);
      return answer.status === 200;
    };
    const waiting = [...keys];
    const worker = async () => {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
        const next = key;
        if (accepted.size === 60) process.kill(own.description.pids['wallet-ledger'], 'SIGKILL');
        await eventually('the payout is accepted', () => payOut(next), { timeoutMs: RECOVERS_WITHIN_MS, pollMs: 200 });
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));

    expect(new Set(unknown.map((status) => (status === 503 || status === 409 ? 'retry' : status)))).toEqual(
      new Set(['retry']),
    );
    const payouts = await allTransactions('EUR', 'PAYOUT');
    expect(payouts.map(({ id }) => id).sort()).toEqual([...accepted.values()].map(({ id }) => id).sort());
    expect(payouts).toHaveLength(keys.length);
    expect(await balanceOf(merchant, euros.id)).toBe('800.00000000');
  }, 90_000);

  it('and after all of that the ledger verifies', async () => {
    const { code, report } = await auditJson<{ ok: boolean; events: number; first_fault: unknown }>(
      own.description,
      'verify',
    );
    expect({ code, ok: report.ok, first_fault: report.first_fault }).toEqual({ code: 0, ok: true, first_fault: null });
    expect(report.events).toBeGreaterThan(400);
    expect(await balanceOf(merchant, dollars.id)).toMatch(/^9\d\d\.00000000$/);
  }, 60_000);
});

async function timed(name: string, asked: Promise<Answer<unknown>>) {
  const startedAt = Date.now();
  const { status, body, headers } = await asked;
  const outcome =
    status === 200 ? '200' : `${status} ${body.code}, ${headers.has('retry-after') ? 'with' : 'without'} Retry-After`;
  return { name, outcome, ms: Date.now() - startedAt };
}

async function allTransactions(currency: string, transaction_type: string): Promise<Transaction[]> {
  const found: Transaction[] = [];
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({ currency, transaction_type, limit: '100', page: String(page) });
    const transactions = await dataOf(merchant.get<Transaction[]>(`/transactions?${query.toString()}`));
    found.push(...transactions);
    if (transactions.length < 100) return found;
  }
}
