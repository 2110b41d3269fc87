import { randomUUID } from 'node:crypto';
import { eventually } from '@stablecoin/testing/eventually';
import { Client, dataOf, fieldErrorsOf, refusalOf } from './client';
import { covers } from './covers';
import { newClient } from './merchants';
import { ADDRESSES, balanceOf, createIndividual, openWallet } from './people';
import { AMOUNT, newPayoutShape, PRICE, Transaction, transactionShape, Wallet } from './resources';

const BANK = { account_number: '0123456789', bank_code: '011', recipient_name: 'Ada Obi' };
let merchant: Client;
let customer_id: string;
let usdt: Wallet;

beforeAll(async () => {
  merchant = await newClient();
  customer_id = (await createIndividual(merchant)).id;
  usdt = await openWallet(merchant, { customer_id, currency: 'USDT', network: 'trc20' }, '1000');
  await openWallet(merchant, { customer_id, currency: 'USD' }, '1000');
});

const newPayout = (said: Record<string, unknown>) => ({
  ...newPayoutShape({
    status: 'PENDING',
    transaction_type: 'PAYOUT',
    transaction_mode: 'DEBIT',
    exchange_rate: PRICE,
    ...said,
  }),
  amount_fiat: said['amount_fiat'] ?? AMOUNT,
  fiat_reference_id: null,
});

describe('POST /payouts/banks', () => {
  covers('POST /payouts/banks');

  it('answers with the PENDING debit and all bank fields; look-ups leave two fields out', async () => {
    const bank = { bank_name: 'First Bank', recipient_currency: 'NGN', recipient_country: 'Nigeria' };
    const request = { customer_id, currency: 'usdt', amount: '12.5', ...BANK, ...bank };
    const { status, body } = await merchant.post<Transaction>('/payouts/banks', request);
    const said = {
      sender_wallet_id: usdt.id,
      asset_code: 'USDT',
      amount: '12.50000000',
      balance: '987.50000000',
      customer_id,
      withdrawal_recipient_name: 'Ada Obi',
      reason: 'Payout to 0123456789 (011)',
      bank_code: '011',
      bank_account: '0123456789',
      ...bank,
    };
    expect([status, body]).toEqual([200, { status: 'success', data: newPayout(said) }]);
    const found = await statusOf(body.data, 'COMPLETED');
    expect(found).toEqual(
      transactionShape({
        ...said,
        transaction_type: 'PAYOUT',
        transaction_mode: 'DEBIT',
        exchange_rate: PRICE,
        status: 'COMPLETED',
      }),
    );
    expect(Date.parse(found.updated_at)).toBeGreaterThan(Date.parse(found.created_at));
  });

  it.each([
    ['the withdrawn currency if that is fiat', 'USD', 'USD', '1'],
    ['US dollars for a stablecoin', 'USDT', 'USD', '1'],
  ])('takes as recipient’s currency %s', async (_what, currency, recipient_currency, exchange_rate) => {
    const payout = await dataOf(merchant.post('/payouts/banks', { customer_id, currency, amount: '2', ...BANK }));
    expect(payout).toMatchObject({
      recipient_currency,
      exchange_rate,
      amount_fiat: '2.00000000',
      bank_name: null,
      recipient_country: null,
    });
  });

  it('shows the amount in the recipient’s currency at the current price', async () => {
    const request = { customer_id, currency: 'USD', amount: '10', ...BANK, recipient_currency: 'EUR' };
    const payout = await dataOf(
      merchant.post<{ exchange_rate: string; amount_fiat: string }>('/payouts/banks', request),
    );
    expect(payout.amount_fiat.slice(0, 5)).toBe(String(Number(payout.exchange_rate) * 10).slice(0, 5));
  });

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['no account', { account_number: undefined }, { account_number: 'required' }],
    ['an account of three digits', { account_number: '012' }, { account_number: 'invalid_account_number' }],
    ['an account with a hyphen', { account_number: '0123-4567' }, { account_number: 'invalid_account_number' }],
    ['a bank code of 12 letters', { bank_code: 'A'.repeat(12) }, { bank_code: 'invalid_bank_code' }],
    ['no recipient', { recipient_name: '' }, { recipient_name: 'invalid_text' }],
    ['a stablecoin for the recipient', { recipient_currency: 'USDT' }, { recipient_currency: 'unsupported_currency' }],
    ['an unknown currency', { currency: 'BTC' }, { currency: 'unsupported_currency' }],
    ['half a cent', { amount: '5.005' }, { amount: 'too_many_decimals' }],
    ['a number as amount', { amount: 5 }, { amount: 'invalid_amount' }],
    ['an unknown field', { swift: 'X' }, { swift: 'unknown_field' }],
  ])('refuses %s', async (_what, changes, expected) => {
    const body = { customer_id, currency: 'USD', amount: '5', ...BANK, ...changes };
    expect(await fieldErrorsOf(merchant.post('/payouts/banks', body))).toEqual(expected);
  });

  it('refuses what the owner can’t pay: no such customer, no wallet, not enough', async () => {
    const payout = { customer_id, currency: 'USD', amount: '5', ...BANK };
    await refusalOf(merchant.post('/payouts/banks', { ...payout, customer_id: randomUUID() }), 404, 'not_found');
    await refusalOf(merchant.post('/payouts/banks', { ...payout, currency: 'EUR' }), 422, 'wallet_not_found');
    await refusalOf(merchant.post('/payouts/banks', { ...payout, customer_id: null }), 422, 'wallet_not_found');
    await refusalOf(merchant.post('/payouts/banks', { ...payout, amount: '1000000' }), 422, 'insufficient_funds');
  });
});

describe('POST /payouts/wallets', () => {
  covers('POST /payouts/wallets');

  it('answers with the PENDING debit, the address and the network', async () => {
    const request = {
      customer_id,
      currency: 'USDT',
      address: ADDRESSES.trc20,
      amount: 7.5,
      network: 'trc20',
      recipient_name: 'Ada',
    };
    const { status, body } = await merchant.post<Transaction>('/payouts/wallets', request);
    const said = {
      sender_wallet_id: usdt.id,
      asset_code: 'USDT',
      amount: '7.50000000',
      customer_id,
      withdrawal_recipient_name: 'Ada',
      reason: `Payout to ${ADDRESSES.trc20}`,
      address: ADDRESSES.trc20,
      network: 'trc20',
    };
    expect([status, body]).toEqual([
      200,
      { status: 'success', data: newPayout({ ...said, amount_fiat: '7.50000000' }) },
    ]);
    const found = await statusOf(body.data, 'COMPLETED');
    expect(found).toMatchObject({ ...said, crypto_transaction_id: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown });
  });

  it.each<[unknown, string]>([
    [0.1, '0.10000000'],
    ['0.000001', '0.00000100'],
    [1e-6, '0.00000100'],
    ['1.50000000', '1.50000000'],
  ])('takes %j as amount', async (amount, expected) => {
    const request = { customer_id, currency: 'USDT', address: ADDRESSES.erc20, amount, network: 'erc20' };
    expect(await dataOf(merchant.post('/payouts/wallets', request))).toMatchObject({
      amount: expected,
      withdrawal_recipient_name: null,
    });
  });

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['less than the smallest unit', { amount: '0.00000001' }, { amount: 'too_many_decimals' }],
    ['7 decimals', { amount: 1.1234567 }, { amount: 'too_many_decimals' }],
    ['9 decimals', { amount: 0.123456789 }, { amount: 'invalid_amount' }],
    ['16 significant digits', { amount: 1234567.890123456 }, { amount: 'invalid_amount' }],
    ['a negative number', { amount: -1 }, { amount: 'invalid_amount' }],
    ['an exponent in a text', { amount: '1e2' }, { amount: 'invalid_amount' }],
    ['a wrong checksum', { address: ADDRESSES.erc20.replace('5aAeb', '5aaeb') }, { address: 'invalid_address' }],
    ['an address of another network', { address: ADDRESSES.trc20 }, { address: 'invalid_address' }],
    ['a Solana address of 31 bytes', { network: 'solana', address: '1'.repeat(31) }, { address: 'invalid_address' }],
    ['no network', { network: undefined }, { network: 'required' }],
    [
      'a network that the currency lacks',
      { currency: 'USDC', network: 'trc20', address: ADDRESSES.trc20 },
      { network: 'unsupported_network' },
    ],
    ['fiat', { currency: 'USD' }, { currency: 'unsupported_currency' }],
  ])('refuses %s', async (_what, changes, expected) => {
    const body = { customer_id, currency: 'USDT', address: ADDRESSES.erc20, amount: 1, network: 'erc20', ...changes };
    expect(await fieldErrorsOf(merchant.post('/payouts/wallets', body))).toEqual(expected);
  });
});

describe('the end of a payout in the sandbox', () => {
  covers(
    'States: transaction',
    'POST /sandbox/payouts/{id}/complete',
    'POST /sandbox/payouts/{id}/fail',
    'POST /sandbox/payouts/{id}/return',
  );

  it.each<[Record<string, unknown>, string, boolean]>([
    [{ account_number: '9876543210' }, 'COMPLETED', true],
    [{ account_number: '98760001' }, 'FAILED', false],
    [{ recipient_name: 'sandbox:fail' }, 'FAILED', false],
    [{ account_number: '98760002' }, 'REVERSED', false],
    [{ recipient_name: 'sandbox:return' }, 'REVERSED', false],
  ])('%j: %s, with the money gone: %s', async (changes, status, gone) => {
    const { customer, wallet } = await anotherWallet('100');
    const payout = await payOut({ customer_id: customer, amount: '30', ...changes });
    expect(await statusOf(payout, status)).toMatchObject({ balance: gone ? '70.00000000' : '100.00000000' });
    expect(await balanceOf(merchant, wallet)).toBe(gone ? '70.00000000' : '100.00000000');
  });

  it.each<[string, string[], string[]]>([
    ['held', ['complete', 'return'], ['COMPLETED', 'REVERSED']],
    ['held', ['fail'], ['FAILED']],
  ])('%s, then asked to %j', async (_held, words, statuses) => {
    const { customer, wallet } = await anotherWallet('100');
    const payout = await payOut({ customer_id: customer, amount: '100', recipient_name: 'sandbox:hold' });
    expect(await balanceOf(merchant, wallet)).toBe('0.00000000');
    const told = [];
    for (const word of words)
      told.push(await dataOf(merchant.post<Transaction>(`/sandbox/payouts/${payout.id}/${word}`)));
    expect(told.map(({ status }) => status)).toEqual(statuses);
    expect(await balanceOf(merchant, wallet)).toBe('100.00000000');
  });

  it.each<[string[], string]>([
    [[], 'return'],
    [['complete'], 'complete'],
    [['complete'], 'fail'],
    [['fail'], 'complete'],
    [['fail'], 'return'],
    [['complete', 'return'], 'return'],
  ])('after %j it refuses to %s', async (before, word) => {
    const { customer } = await anotherWallet('1');
    const { transaction_id } = await payOut({ customer_id: customer, amount: '1', recipient_name: 'sandbox:hold' });
    for (const step of before) await dataOf(merchant.post(`/sandbox/payouts/${transaction_id}/${step}`));
    await refusalOf(merchant.post(`/sandbox/payouts/${transaction_id}/${word}`), 409, 'invalid_transition');
  });

  it('can’t spend held money again: of 20 at once on money for 7, exactly 7', async () => {
    const { customer, wallet } = await anotherWallet('70');
    const request = { customer_id: customer, currency: 'EUR', amount: '10', ...BANK, recipient_name: 'sandbox:hold' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => merchant.post('/payouts/banks', request)));
    const outcomes = answers.map(({ body }) => body.code ?? body.status).sort();
    expect(outcomes).toEqual([...Array(13).fill('insufficient_funds'), ...Array(7).fill('success')]);
    expect(await balanceOf(merchant, wallet)).toBe('0.00000000');
  });
});

describe('a payout that comes back after its customer was closed', () => {
  covers('Rules: returns to closed customers');

  it.each([
    ['the wallet that the merchant has', true],
    ['a wallet that is opened for it', false],
  ])('goes to %s, fee included, and the merchant can spend it', async (_which, hasWallet) => {
    const own = await newClient(['--payout-fee-flat', '1']);
    const mine = hasWallet ? await openWallet(own, { currency: 'USD' }) : undefined;
    const { id } = await createIndividual(own);
    const wallet = await openWallet(own, { customer_id: id, currency: 'USD' }, '41');
    const request = { currency: 'USD', ...BANK, recipient_name: 'sandbox:hold' };
    const held = await dataOf(own.post<Transaction>('/payouts/banks', { customer_id: id, ...request, amount: '40' }));
    await dataOf(own.post(`/sandbox/payouts/${held.id}/complete`));
    await dataOf(own.post(`/customers/${id}/close`));
    await dataOf(own.post(`/sandbox/payouts/${held.id}/return`));
    expect(await balanceOf(own, wallet.id)).toBe('0.00000000');

    const told = await dataOf(own.get<Transaction[]>(`/customers/transactions/by_ref_id/${held.reference_id}`));
    const said = ({ transaction_type, transaction_mode, status, amount, customer_id }: Transaction) =>
      [transaction_type, transaction_mode, status, amount, customer_id].join(' ');
    expect(told.map(said).sort()).toEqual([
      'INTERNAL TRANSFER CREDIT COMPLETED 41.00000000 ',
      `INTERNAL TRANSFER DEBIT COMPLETED 41.00000000 ${id}`,
      `PAYOUT DEBIT REVERSED 40.00000000 ${id}`,
    ]);
    const wallets = await dataOf(own.get<Wallet[]>('/wallets'));
    expect(wallets).toMatchObject([{ currency: 'USD', balance: '41.00000000', ...(mine && { id: mine.id }) }]);
    expect((await dataOf(own.get<Transaction[]>('/transactions'))).map(({ id: listed }) => listed)).toEqual(
      expect.arrayContaining(told.map(({ id: known }) => known)),
    );
    expect(await dataOf(own.post('/payouts/banks', { ...request, amount: '40' }))).toMatchObject({ status: 'PENDING' });
    await refusalOf(own.post('/sandbox/deposits', { wallet_id: wallet.id, amount: '1' }), 422, 'customer_closed');
  });
});

describe('fees', () => {
  covers('Rules: fees');

  it('are charged on top, and come back with the money', async () => {
    const paying = await newClient(['--payout-fee-flat', '0.5', '--payout-fee-basis-points', '100']);
    const wallet = await openWallet(paying, { currency: 'USD' }, '100');
    const request = { currency: 'USD', amount: '98.52', ...BANK, recipient_name: 'sandbox:hold' };
    await refusalOf(paying.post('/payouts/banks', request), 422, 'insufficient_funds');
    const payout = await dataOf(paying.post<Transaction>('/payouts/banks', { ...request, amount: '50' }));
    expect(payout).toMatchObject({ amount: '50.00000000', fee: '1.00000000', balance: '49.00000000' });
    await dataOf(paying.post(`/sandbox/payouts/${payout.id}/fail`));
    expect(await balanceOf(paying, wallet.id)).toBe('100.00000000');
    expect(await dataOf(paying.get<Transaction[]>('/transactions'))).toHaveLength(2);
  });
});

it('a payout of the merchant itself comes out of the merchant’s wallet', async () => {
  const wallet = await openWallet(merchant, { currency: 'GBP' }, '10');
  const payout = await dataOf(merchant.post('/payouts/banks', { currency: 'GBP', amount: '4', ...BANK }));
  expect(payout).toMatchObject({ sender_wallet_id: wallet.id, customer_id: null, balance: '6.00000000' });
});

async function anotherWallet(amount: string) {
  const { id: customer } = await createIndividual(merchant);
  const wallet = await openWallet(merchant, { customer_id: customer, currency: 'EUR' }, amount);
  return { customer, wallet: wallet.id };
}

function payOut(request: Record<string, unknown>) {
  return dataOf(merchant.post<Transaction>('/payouts/banks', { currency: 'EUR', ...BANK, ...request }));
}

function statusOf({ transaction_id }: Transaction, status: string): Promise<Transaction> {
  return eventually(`payout ${transaction_id} is ${status}`, async () => {
    const payout = await dataOf(merchant.get<Transaction>(`/customers/transactions/by_txid/${transaction_id}`));
    return payout.status === status && payout;
  });
}
