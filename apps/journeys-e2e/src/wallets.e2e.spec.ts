import { isAddress } from '@stablecoin/addresses/validate-address';
import { NETWORKS } from '@stablecoin/money/currency';
import { Client, dataOf, fieldErrorsOf, refusalOf } from './client';
import { covers } from './covers';
import { newClient } from './merchants';
import { createIndividual, deposit, openWallet } from './people';
import { TIMESTAMP, Transaction, transactionShape, UUID, Wallet } from './resources';

let merchant: Client;

beforeAll(async () => {
  merchant = await newClient();
});

const walletShape = (said: Record<string, unknown>) => ({
  id: UUID,
  asset_type: 'FIAT',
  currency: 'USD',
  balance: '0.00000000',
  description: '',
  status: 'active',
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  customer_id: null,
  addresses: [],
  ...said,
});

describe('POST /wallets', () => {
  covers('POST /wallets', 'Resource: wallet');

  it('opens a fiat wallet for a customer', async () => {
    const { id: customer_id } = await createIndividual(merchant);
    const { status, body } = await merchant.post('/wallets', {
      customer_id,
      currency: 'NGN',
      description: ' Groceries ',
    });
    const data = walletShape({ currency: 'NGN', customer_id, description: 'Groceries' });
    expect([status, body]).toEqual([200, { status: 'success', data }]);
  });

  it('opens a stablecoin wallet for the merchant, with a deposit address', async () => {
    const wallet = await dataOf(
      merchant.post<Wallet>('/wallets', { customer_id: null, currency: 'USDC', network: 'polygon' }),
    );
    const address = {
      id: UUID,
      crypto_wallet_id: wallet.id,
      address: expect.any(String) as string,
      network: 'polygon',
      created_at: TIMESTAMP,
    };
    expect(wallet).toEqual(walletShape({ asset_type: 'STABLECOIN', currency: 'USDC', addresses: [address] }));
    const { crypto_wallet_id: _, ...read } = wallet.addresses[0] as unknown as Record<string, string>;
    expect(await dataOf(merchant.get(`/wallets/${wallet.id}`))).toEqual({ ...wallet, addresses: [read] });
  });

  it('adds networks to the wallet that is there, each with an address that is valid on it', async () => {
    const { id: customer_id } = await createIndividual(merchant);
    const opened: Wallet[] = [];
    for (const network of NETWORKS) {
      opened.push(await dataOf(merchant.post<Wallet>('/wallets', { customer_id, currency: 'USDT', network })));
    }
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    const addresses = opened.at(-1)?.addresses ?? [];
    expect(addresses.map(({ network }) => network)).toEqual(NETWORKS);
    for (const [index, network] of NETWORKS.entries())
      expect(isAddress(network, addresses[index]?.address ?? '')).toBe(true);
  });

  it('never gives two wallets the same address', async () => {
    const wallets = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { id: customer_id } = await createIndividual(merchant);
        return openWallet(merchant, { customer_id, currency: 'USDT', network: 'erc20' });
      }),
    );
    expect(new Set(wallets.map(({ addresses }) => addresses[0]?.address)).size).toBe(8);
  });

  it('refuses a wallet that is there already', async () => {
    const { id: customer_id } = await createIndividual(merchant);
    for (const wallet of [{ currency: 'USDT', network: 'trc20' }, { currency: 'EUR' }] as const) {
      await openWallet(merchant, { customer_id, ...wallet });
      await refusalOf(merchant.post('/wallets', { customer_id, ...wallet }), 409, 'wallet_exists');
    }
  });

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['no currency', {}, { currency: 'required' }],
    ['a currency in lower case', { currency: 'usd' }, { currency: 'unsupported_currency' }],
    ['an unknown currency', { currency: 'BTC' }, { currency: 'unsupported_currency' }],
    ['a network for fiat', { currency: 'USD', network: 'erc20' }, { network: 'unsupported_network' }],
    ['a network that the currency lacks', { currency: 'USDC', network: 'trc20' }, { network: 'unsupported_network' }],
    ['a network in upper case', { currency: 'USDT', network: 'ERC20' }, { network: 'unsupported_network' }],
    ['no network for a stablecoin', { currency: 'USDT' }, { network: 'required' }],
    ['null as network of a stablecoin', { currency: 'USDT', network: null }, { network: 'required' }],
    [
      'a description of 256 characters',
      { currency: 'USD', description: 'x'.repeat(256) },
      { description: 'invalid_text' },
    ],
    ['an id that is none', { currency: 'USD', customer_id: '1' }, { customer_id: 'invalid_uuid' }],
    ['an unknown field', { currency: 'USD', balance: '5' }, { balance: 'unknown_field' }],
  ])('refuses %s', async (_what, body, expected) => {
    expect(await fieldErrorsOf(merchant.post('/wallets', body))).toEqual(expected);
  });
});

describe('GET /wallets', () => {
  covers('GET /wallets', 'GET /wallets/{wallet_id}');

  it('lists the merchant’s own, or one customer’s', async () => {
    const own = await newClient();
    const { id: customer_id } = await createIndividual(own);
    const dollars = await openWallet(own, { currency: 'USD' });
    const euros = await openWallet(own, { currency: 'EUR' });
    const pounds = await openWallet(own, { customer_id, currency: 'GBP' });

    const { body } = await own.get<Wallet[]>('/wallets');
    expect(body).toEqual({
      status: 'success',
      data: [euros, dollars],
      pagination: { total: 2, page: 1, limit: 20, totalPages: 1 },
    });
    expect(await dataOf(own.get(`/wallets?customer_id=${customer_id}`))).toEqual([pounds]);
    expect(await dataOf(own.get('/wallets?currency=USD'))).toEqual([dollars]);
    expect(await dataOf(own.get('/wallets?page=2&limit=1'))).toEqual([dollars]);
  });
});

describe('POST /sandbox/deposits', () => {
  covers('POST /sandbox/deposits');

  it('answers PENDING; the money is spendable at once', async () => {
    const { id: customer_id } = await createIndividual(merchant);
    const wallet = await openWallet(merchant, { customer_id, currency: 'USDT', network: 'trc20' });
    const recorded = await deposit(merchant, wallet.id, '12.5');
    const shape = {
      receiver_wallet_id: wallet.id,
      asset_code: 'USDT',
      amount: '12.50000000',
      transaction_type: 'DEPOSIT',
      transaction_mode: 'CREDIT',
      network: 'trc20',
      customer_id,
    };
    expect(recorded).toEqual(transactionShape({ ...shape, status: 'PENDING', balance: '0.00000000' }));
    const found = await dataOf(merchant.get(`/customers/transactions/by_txid/${recorded.transaction_id}`));
    expect(found).toEqual(transactionShape({ ...shape, id: recorded.id, status: 'COMPLETED', balance: '12.50000000' }));
    expect(await dataOf(merchant.get(`/wallets/${wallet.id}`))).toMatchObject({ balance: '12.50000000' });
  });

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['zero', { amount: '0' }, { amount: 'invalid_amount' }],
    ['a number', { amount: 5 }, { amount: 'invalid_amount' }],
    ['9 decimals', { amount: '0.000000001' }, { amount: 'invalid_amount' }],
    ['a network without an address', { amount: '1', network: 'solana' }, { network: 'unsupported_network' }],
  ])('refuses %s', async (_what, body, expected) => {
    const { id: customer_id } = await createIndividual(merchant);
    const wallet = await openWallet(merchant, { customer_id, currency: 'USDT', network: 'erc20' });
    expect(await fieldErrorsOf(merchant.post('/sandbox/deposits', { wallet_id: wallet.id, ...body }))).toEqual(
      expected,
    );
  });

  it("takes a currency in place of the id, for the merchant's own wallet and no customer's", async () => {
    const fresh = await newClient();
    const send = (body: object) => fresh.post<Transaction>('/sandbox/deposits', { amount: '3', ...body });
    const { id: customer_id } = await createIndividual(fresh);
    await openWallet(fresh, { customer_id, currency: 'USDT', network: 'trc20' });
    await refusalOf(send({ currency: 'USDT' }), 422, 'wallet_not_found');
    const wallet = await openWallet(fresh, { currency: 'USDT', network: 'trc20' });
    expect(await dataOf(send({ currency: 'usdt' }))).toMatchObject({ receiver_wallet_id: wallet.id });
    expect(await dataOf(send({ currency: 'USDT', wallet_id: null }))).toMatchObject({ receiver_wallet_id: wallet.id });
    expect(await fieldErrorsOf(send({ currency: 'USDT', wallet_id: wallet.id }))).toEqual({
      currency: 'conflicting_fields',
    });
    expect(await fieldErrorsOf(send({}))).toEqual({ wallet_id: 'required' });
    expect(await fieldErrorsOf(send({ currency: 'BTC' }))).toEqual({ currency: 'unsupported_currency' });
  });

  it('is not there for a live key', async () => {
    const live = await newClient(['--live']);
    const wallet = await openWallet(live, { currency: 'USD' });
    await refusalOf(live.post('/sandbox/deposits', { wallet_id: wallet.id, amount: '1' }), 404, 'not_found');
  });
});
