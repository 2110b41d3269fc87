import { randomUUID } from 'node:crypto';
import { Client, dataOf, refusalOf } from './client';
import { covers } from './covers';
import { newClient } from './merchants';
import { balanceOf, createIndividual, deposit, openWallet } from './people';
import { Transaction, Wallet } from './resources';
import { HELD_DEPOSIT } from './writes';

const BANK = { account_number: '0123450009', bank_code: '011', recipient_name: 'Ada' };
type Word = 'complete' | 'fail' | 'reverse';

let merchant: Client;
beforeAll(async () => {
  merchant = await newClient();
});

async function customersWallet(amount?: string): Promise<Wallet & { customer_id: string }> {
  const { id: customer_id } = await createIndividual(merchant);
  return { ...(await openWallet(merchant, { customer_id, currency: 'USD' }, amount)), customer_id };
}
const seen = (wallet_id: string, amount: string, more: object = {}) =>
  dataOf(merchant.post<Transaction>('/sandbox/deposits', { wallet_id, amount, reference: HELD_DEPOSIT, ...more }));
const tell = (id: string, word: Word) => merchant.post<Transaction>(`/sandbox/deposits/${id}/${word}`);
const told = (id: string, word: Word) => dataOf(tell(id, word));

describe('what becomes of a deposit in the sandbox', () => {
  covers(
    'States: transaction',
    'POST /sandbox/deposits/{id}/complete',
    'POST /sandbox/deposits/{id}/fail',
    'POST /sandbox/deposits/{id}/reverse',
  );

  it('one that is held stays PENDING, and can’t be spent', async () => {
    const wallet = await customersWallet();
    const { transaction_id } = await seen(wallet.id, '10');
    const found = await dataOf(merchant.get<Transaction>(`/customers/transactions/by_txid/${transaction_id}`));
    expect(found).toMatchObject({ status: 'PENDING', balance: '0.00000000', reason: HELD_DEPOSIT });
    const payout = { customer_id: wallet.customer_id, currency: 'USD', amount: '1', ...BANK };
    await refusalOf(merchant.post('/payouts/banks', payout), 422, 'insufficient_funds');
  });

  it.each<[Word[], string[], string[]]>([
    [['complete'], ['COMPLETED'], ['15.00000000']],
    [['fail'], ['FAILED'], ['5.00000000']],
    [
      ['complete', 'reverse'],
      ['COMPLETED', 'REVERSED'],
      ['15.00000000', '5.00000000'],
    ],
  ])('asked to %j it is %j, and the wallet has %j', async (words, statuses, balances) => {
    const wallet = await customersWallet('5');
    const { id } = await seen(wallet.id, '10');
    for (const [index, word] of words.entries()) {
      expect(await told(id, word)).toMatchObject({ id, status: statuses[index], balance: balances[index] });
    }
    expect(await balanceOf(merchant, wallet.id)).toBe(balances.at(-1));
  });

  it.each<[Word[], Word]>([
    [[], 'reverse'],
    [['complete'], 'complete'],
    [['complete'], 'fail'],
    [['fail'], 'complete'],
    [['fail'], 'reverse'],
    [['complete', 'reverse'], 'reverse'],
    [['complete', 'reverse'], 'complete'],
  ])('after %j it refuses to %s', async (before, word) => {
    const { transaction_id } = await seen((await customersWallet()).id, '10');
    for (const step of before) await told(transaction_id, step);
    await refusalOf(tell(transaction_id, word), 409, 'invalid_transition');
  });

  it('a repetition is answered alike, and takes the money once', async () => {
    const wallet = await customersWallet('5');
    const { id } = await deposit(merchant, wallet.id, '3');
    const idempotencyKey = randomUUID();
    const send = () => merchant.post(`/sandbox/deposits/${id}/reverse`, undefined, { idempotencyKey });
    const [first, again] = [await send(), await send()];
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect(await balanceOf(merchant, wallet.id)).toBe('5.00000000');
  });

  it('is no matter of payouts, nor of live keys', async () => {
    const wallet = await customersWallet('5');
    const request = { customer_id: wallet.customer_id, currency: 'USD', amount: '1', ...BANK };
    const payout = await dataOf(merchant.post<Transaction>('/payouts/banks', request));
    await refusalOf(tell(payout.id, 'fail'), 404, 'not_found');
    await refusalOf(tell('no-id', 'fail'), 404, 'not_found');
    const live = await newClient(['--live']);
    await refusalOf(live.post(`/sandbox/deposits/${payout.id}/fail`), 404, 'not_found');
  });
});

describe('a deposit that is reversed after it was spent', () => {
  covers('Rules: reversed deposits', 'Resource: wallet');

  it('leaves the wallet below zero, out of which nothing moves until that is covered', async () => {
    const own = await newClient();
    const { id: customer_id } = await createIndividual(own);
    const wallet = await openWallet(own, { customer_id, currency: 'USDT', network: 'polygon' });
    await openWallet(own, { customer_id, currency: 'NGN' });
    const arrived = await deposit(own, wallet.id, '10');
    const payOut = (amount: string) =>
      own.post<Transaction>('/payouts/banks', { customer_id, currency: 'USDT', amount, ...BANK });
    const spent = await dataOf(payOut('7.5'));
    const reversed = await dataOf(own.post<Transaction>(`/sandbox/deposits/${arrived.id}/reverse`));
    expect(reversed).toMatchObject({ status: 'REVERSED', balance: '-7.50000000', network: 'polygon' });
    expect(await dataOf(own.get(`/wallets/${wallet.id}`))).toMatchObject({ balance: '-7.50000000' });

    const pair = { customer_id, from_currency: 'USDT', to_currency: 'NGN', amount: '1' };
    const { data: quote } = await dataOf(own.post<{ data: { id: string } }>('/instant-swaps', pair));
    const swap = () => own.post('/swaps', { ...pair, quote_id: quote.id });
    await refusalOf(swap(), 422, 'insufficient_funds');
    await refusalOf(payOut('0.01'), 422, 'insufficient_funds');
    await refusalOf(own.post(`/customers/${customer_id}/close`), 409, 'customer_not_empty');

    // Also what comes back covers it, in part.
    await deposit(own, wallet.id, '0.5');
    expect(await balanceOf(own, wallet.id)).toBe('-7.00000000');
    await refusalOf(payOut('0.01'), 422, 'insufficient_funds');
    await dataOf(own.post(`/sandbox/payouts/${spent.id}/fail`));
    expect(await balanceOf(own, wallet.id)).toBe('0.50000000');
    await refusalOf(swap(), 422, 'insufficient_funds');
    await deposit(own, wallet.id, '0.5');
    await dataOf(swap());
    expect(await balanceOf(own, wallet.id)).toBe('0.00000000');
  });

  it('is explained with its postings', async () => {
    const wallet = await customersWallet('4');
    const [arrived] = await dataOf(merchant.get<Transaction[]>(`/transactions?customer_id=${wallet.customer_id}`));
    const request = { customer_id: wallet.customer_id, currency: 'USD', amount: '3', ...BANK };
    await dataOf(merchant.post('/payouts/banks', request));
    await told(String(arrived?.id), 'reverse');
    type Explained = { events: { movement: string; account_id: string; amount: string; balance_after: string }[] };
    const path = `/audit/transactions/${arrived?.transaction_id}`;
    const { events } = await dataOf(merchant.get<Explained>(path));
    expect(events.filter(({ movement }) => movement === 'deposit-reversed')).toMatchObject([
      { account_id: wallet.id, amount: '4.00000000', balance_after: '-3.00000000' },
      { account_id: 'external:bank:USD', amount: '4.00000000', balance_after: null },
      { to_status: 'REVERSED', balance_after: '-3.00000000' },
    ]);
  });
});
