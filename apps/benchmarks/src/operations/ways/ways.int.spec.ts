import { MerchantClient, dataOf } from '@stablecoin/testing/merchant-client';
import { testNatsUrl } from '@stablecoin/testing/nats';
import { WebhookReceiver } from '@stablecoin/testing/webhook-receiver';
import { Client } from 'pg';
import { settled } from '../../settled';
import { type Opened, OperationLoads } from '../load';
import { openAccounts, times } from '../accounts';
import { ProcessorMeter } from '../measuring/processor-use';
import { chosenKinds, type OperationKind } from '../operation-kinds';
import { floorWay } from './floor-way';
import { plainWay } from './plain-way';
import type { Way } from './way';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const PAIR = { from_currency: 'USDT', to_currency: 'NGN', amount: '2' };
const PAYOUTS = 40;
const UNPROCESSABLE = 422;

/** What a way's databases must have after it: a statement for each, with its one value. */
interface Books {
  start: (postgresUrl: string) => Promise<Way>;
  /** By the database that has it. */
  holds: readonly [database: string, statement: string, value: string][];
  /** Of the merchant's wallet in USDT. */
  balance: [database: string, statement: string];
  transactions: [database: string, statement: string];
}

const WAYS: Readonly<Record<string, Books>> = {
  floor: {
    start: (postgresUrl) => floorWay({ postgresUrl, natsUrl: testNatsUrl() }),
    balance: [
      'floor_ledger',
      `SELECT balance::float8::text FROM wallets JOIN account_balances ON account_id = id::text
       WHERE currency = 'USDT' AND customer_id IS NULL`,
    ],
    transactions: ['floor_ledger', 'SELECT count(*)::text FROM transactions'],
    holds: [
      // Of each currency what wallets have, the house lacks.
      [
        'floor_ledger',
        `SELECT count(*)::text FROM (
           SELECT coalesce(wallets.currency, split_part(account_id, ':', 2)) AS currency FROM account_balances
           LEFT JOIN wallets ON id::text = account_id GROUP BY 1 HAVING sum(balance) <> 0) AS unequal`,
        '0',
      ],
      // A deposit is four events, a payout two and then three, a swap six.
      ['floor_ledger', 'SELECT count(*)::text FROM ledger_events', String(2 * 4 + PAYOUTS * 5 + 6)],
      ['floor_ledger', 'SELECT count(*)::text FROM ledger_events WHERE position <> 0', String(2 * 4 + PAYOUTS * 5 + 6)],
      [
        'floor_ledger',
        `SELECT count(*)::text FROM ledger_events AS event JOIN ledger_events AS last ON last.position = event.position - 1
         WHERE event.hash <> sha256(last.hash || event.body::bytea)`,
        '0',
      ],
      ['floor_ledger', `SELECT count(*)::text FROM transactions WHERE status = 'COMPLETED'`, String(2 + PAYOUTS + 2)],
      ['floor_ledger', 'SELECT sum(transactions)::text FROM transaction_counts', String(2 + PAYOUTS + 2)],
      // Wallets, deposits, holds and settlements, the swap.
      ['floor_ledger', 'SELECT count(*)::text FROM command_results', String(4 + 2 + 2 * PAYOUTS + 1)],
      ['floor_payout', `SELECT count(*)::text FROM payouts WHERE state = 'settled'`, String(PAYOUTS)],
      ['floor_payout', 'SELECT count(*)::text FROM sandbox_rail', String(PAYOUTS)],
      ['floor_payout', 'SELECT count(*)::text FROM inbox', String(2 * PAYOUTS)],
      ['floor_customer', 'SELECT count(*)::text FROM events', String(2 + 2 * PAYOUTS + 2)],
      ['floor_swap', `SELECT count(*)::text FROM quotes WHERE state = 'used'`, '1'],
      ['floor_swap', 'SELECT count(*)::text FROM inbox', '1'],
    ],
  },
  plain: {
    start: (postgresUrl) => plainWay({ postgresUrl, natsUrl: '' }),
    balance: [
      'plain',
      `SELECT balance::float8::text FROM accounts WHERE kind = 'wallet' AND currency = 'USDT' AND customer_id IS NULL`,
    ],
    transactions: ['plain', 'SELECT count(*)::text FROM transactions'],
    holds: [
      [
        'plain',
        'SELECT count(*)::text FROM (SELECT currency FROM accounts GROUP BY 1 HAVING sum(balance) <> 0) AS unequal',
        '0',
      ],
      [
        'plain',
        `SELECT count(*)::text FROM accounts
         WHERE balance <> (SELECT coalesce(sum(amount), 0) FROM entries WHERE account_id = accounts.id)`,
        '0',
      ],
      ['plain', 'SELECT count(*)::text FROM entries', String(2 * 2 + PAYOUTS * 4 + 2 * 2)],
      ['plain', `SELECT count(*)::text FROM transactions WHERE status = 'COMPLETED'`, String(2 + PAYOUTS + 2)],
      ['plain', 'SELECT count(*)::text FROM events', String(2 + 2 * PAYOUTS + 1)],
      ['plain', 'SELECT count(*)::text FROM quotes WHERE used_at IS NOT NULL', '1'],
    ],
  },
};

describe.each(Object.entries(WAYS))('the %s way', (_, books) => {
  const postgresUrl = process.env['TEST_POSTGRES_URL'] as string;
  let way: Way;
  let receiver: WebhookReceiver;
  let client: MerchantClient;
  let opened: Opened;
  let loads: OperationLoads;
  const kindOf = (name: string) => chosenKinds(name)[0] as OperationKind;

  const valueIn = async ([database, statement]: readonly [string, string]): Promise<string> => {
    const url = new URL(postgresUrl);
    url.pathname = `/${database}`;
    const connection = new Client({ connectionString: url.href });
    await connection.connect();
    try {
      const { rows } = await connection.query<Record<string, string>>(statement);
      return Object.values(rows[0] ?? {})[0] ?? 'none';
    } finally {
      await connection.end();
    }
  };

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    way = await books.start(postgresUrl);
    client = new MerchantClient({ baseUrl: way.baseUrl, apiKey: way.apiKey });
    opened = { way, client, account: await openAccounts(client) };
    loads = new OperationLoads(new ProcessorMeter(way.pids, process.pid), receiver);
  });
  afterAll(async () => {
    await way?.stop();
    await receiver.stop();
  });

  it('does what is measured to the end, row by row, and no money comes or goes', async () => {
    const { walletId } = opened.account;
    await dataOf(client.post('/sandbox/deposits', { wallet_id: walletId, amount: '5.5' }));
    const payout = { currency: 'USDT', amount: '1.25', address: ADDRESS, network: 'erc20' };
    await times(PAYOUTS, () => dataOf(client.post('/payouts/wallets', payout)));
    const quote = await dataOf(client.post<{ data: { id: string } }>('/instant-swaps', PAIR));
    const execution = { ...PAIR, quote_id: quote.data.id };
    await dataOf(client.post('/swaps', execution));
    expect((await client.post('/swaps', execution)).status).toBe(UNPROCESSABLE);
    await settled(client);
    const rows = await Promise.all(
      books.holds.map(async ([database, statement, value]) => ({
        statement,
        value,
        found: await foundIn(() => valueIn([database, statement]), value),
      })),
    );
    expect(rows.filter(({ found, value }) => found !== value)).toEqual([]);
    expect(Number(await valueIn(books.balance))).toBe(900_000_000 - 1.25 * PAYOUTS - 2);
    expect(await dataOf(client.get<{ balance: string }>(`/wallets/${walletId}`))).toMatchObject({
      balance: expect.stringMatching(/^5\.50*$/) as string,
    });
  });

  it('refuses what the service refuses, and leaves nothing of it', async () => {
    const before = await valueIn(books.transactions);
    const payout = { currency: 'USDT', amount: '1', address: ADDRESS, network: 'erc20' };
    const statuses = await Promise.all(
      [
        client.post('/payouts/wallets', { ...payout, amount: '999999999999' }),
        client.post('/payouts/wallets', { ...payout, amount: '1.123456789' }),
        client.post('/payouts/wallets', { ...payout, address: '0x12' }),
        client.post('/payouts/wallets', payout, { apiKey: 'another' }),
      ].map(async (answer) => (await answer).status),
    );
    expect(statuses).toEqual([UNPROCESSABLE, 400, 400, 401]);
    expect(await valueIn(books.transactions)).toBe(before);
  });

  it('lists the newest of a customer with their number', async () => {
    const { walletId, customerId } = opened.account;
    for (const amount of ['1', '2']) await dataOf(client.post('/sandbox/deposits', { wallet_id: walletId, amount }));
    const { body } = await client.get<{ amount: string }[]>(`/transactions?customer_id=${customerId}&limit=2`);
    expect(body.data.map(({ amount }) => Number(amount))).toEqual([2, 1]);
    expect(body.pagination?.['total']).toBe(3);
  });

  it('delivers each recorded event once, signed', async () => {
    await way.deliveries.hold(3, receiver.url());
    await way.deliveries.release();
    const received = await receiver.atLeast(3);
    expect(new Set(received.map(({ id }) => id)).size).toBe(3);
    expect(received.every(({ headers }) => String(headers['webhook-signature']).startsWith('v1,'))).toBe(true);
    await way.deliveries.clear();
  });

  it('is asked for an operation as the service is', async () => {
    for (const name of ['payout', 'swap', 'deposit', 'wallet-read'])
      expect((await loads.work(opened, kindOf(name), 0.2)).operations).toBeGreaterThan(0);
  });
});

/** Facts are handled some moments later. */
async function foundIn(look: () => Promise<string>, wanted: string): Promise<string> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    const found = await look();
    if (found === wanted || Date.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
