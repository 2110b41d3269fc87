import { Money } from '@stablecoin/money/money';
import { eventually } from '@stablecoin/testing/eventually';
import { PNG } from '@stablecoin/testing/person';
import { Client, dataOf } from './client';
import { covers } from './covers';
import { sandboxMerchant } from './merchants';
import { ADDRESSES, balanceOf, createIndividual, deposit } from './people';
import { Customer, InnerEnvelope, Swap, Transaction, Wallet } from './resources';

covers('POST /sandbox/payouts/{id}/complete', 'POST /sandbox/deposits');

/** The journey that the service is for, step by step: the steps share one customer and run in their order. */
describe('the main job, with the sandbox key', () => {
  let merchant: Client;
  let customer: Customer;
  const wallets: Record<string, Wallet> = {};

  beforeAll(() => {
    merchant = sandboxMerchant();
  });

  it('registers an individual customer with documents', async () => {
    const documents = [
      { doc_type: 'valid_ids', sub_type: 'front', doc_image: PNG, doc_country: 'NG' },
      { doc_type: 'utility_bill', doc_image: 'https://files.example.com/bill.pdf', doc_country: 'NG' },
    ];
    customer = await createIndividual(merchant, { documents });
    expect(customer).toMatchObject({ status: 'active', kyc_status: 'approved' });
  });

  it('opens wallets: USDT on two networks, USD and NGN', async () => {
    const customer_id = customer.id;
    for (const request of [{ currency: 'USDT', network: 'trc20' }, { currency: 'USD' }, { currency: 'NGN' }]) {
      wallets[request.currency] = await dataOf(merchant.post<Wallet>('/wallets', { customer_id, ...request }));
    }
    const usdt = await dataOf(merchant.post<Wallet>('/wallets', { customer_id, currency: 'USDT', network: 'erc20' }));
    expect(usdt.id).toBe(wallets.USDT?.id);
    expect(usdt.addresses.map(({ network }) => network)).toEqual(['trc20', 'erc20']);
  });

  it('receives deposits, which can be spent at once', async () => {
    await deposit(merchant, idOf('USDT'), '1000');
    await deposit(merchant, idOf('USD'), '250.75');
    expect(await balances()).toEqual({ USDT: '1000.00000000', USD: '250.75000000', NGN: '0.00000000' });
  });

  it('quotes a swap, refreshes the quote and executes it', async () => {
    const pair = { customer_id: customer.id, from_currency: 'USDT', to_currency: 'NGN' };
    const { data: quote } = await dataOf(merchant.post<InnerEnvelope>('/instant-swaps', { ...pair, amount: '100' }));
    const refreshing = merchant.post<InnerEnvelope>(`/swaps/${quote.id}/refresh`, { ...pair, from_amount: '100' });
    const { data: refreshed } = await dataOf(refreshing);
    expect(refreshed).toMatchObject({ id: quote.id, confirmed: false });

    const swap = await dataOf(merchant.post<Swap>('/swaps', { ...pair, amount: '100' }));
    expect(swap.swapId).toBe(quote.id);
    expect(await balances()).toEqual({ USDT: '900.00000000', USD: '250.75000000', NGN: refreshed.to_amount });
  });

  it.each([
    { account_number: '0123456789', ends: 'COMPLETED', before: '900.00000000', after: '850.00000000' },
    { account_number: '0123450001', ends: 'FAILED', before: '850.00000000', after: '850.00000000' },
    { account_number: '0123450002', ends: 'REVERSED', before: '850.00000000', after: '850.00000000' },
  ])(
    'pays out to a bank account $account_number, which ends $ends',
    async ({ account_number, ends, before, after }) => {
      expect(await balanceOf(merchant, idOf('USDT'))).toBe(before);
      const payout = await payOutToBank({ account_number, amount: '50' });
      expect(payout).toMatchObject({ status: 'PENDING', transaction_type: 'PAYOUT', transaction_mode: 'DEBIT' });
      await statusOf(payout, ends);
      expect(await balanceOf(merchant, idOf('USDT'))).toBe(after);
    },
  );

  it('pays out to an account that holds the payout until its completion is requested', async () => {
    const payout = await payOutToBank({ account_number: '0123450009', amount: '50' });
    expect(await balanceOf(merchant, idOf('USDT'))).toBe('800.00000000');
    const told = await dataOf(merchant.post<Transaction>(`/sandbox/payouts/${payout.transaction_id}/complete`));
    expect(told).toMatchObject({ id: payout.id, status: 'COMPLETED' });
    expect(await balanceOf(merchant, idOf('USDT'))).toBe('800.00000000');
  });

  it('pays out to a crypto address', async () => {
    const { trc20: address } = ADDRESSES;
    const request = {
      customer_id: customer.id,
      currency: 'USDT',
      address,
      amount: 75.5,
      network: 'trc20',
      recipient_name: 'Ada',
    };
    const payout = await dataOf(merchant.post<Transaction>('/payouts/wallets', request));
    expect(payout).toMatchObject({ status: 'PENDING', address, network: 'trc20', amount: '75.50000000' });
    await statusOf(payout, 'COMPLETED');
    expect(await balanceOf(merchant, idOf('USDT'))).toBe('724.50000000');
  });

  it('finds the transactions in every way', async () => {
    const ofCustomer = await transactionsOfCustomer();
    expect(ofCustomer.map(({ transaction_type, status }) => `${transaction_type} ${status}`)).toEqual([
      'PAYOUT COMPLETED',
      'PAYOUT COMPLETED',
      'PAYOUT REVERSED',
      'PAYOUT FAILED',
      'PAYOUT COMPLETED',
      'INTERNAL TRANSFER COMPLETED',
      'INTERNAL TRANSFER COMPLETED',
      'DEPOSIT COMPLETED',
      'DEPOSIT COMPLETED',
    ]);
    const listed = await dataOf(merchant.get<Transaction[]>(`/transactions?customer_id=${customer.id}&limit=100`));
    expect(listed.map(({ id }) => id)).toEqual(ofCustomer.map(({ id }) => id));
    for (const { transaction_id, reference_id, id } of ofCustomer) {
      const found = await dataOf(merchant.get<Transaction>(`/customers/transactions/by_txid/${transaction_id}`));
      expect(found.id).toBe(id);
      const grouped = await dataOf(merchant.get<Transaction[]>(`/customers/transactions/by_ref_id/${reference_id}`));
      expect(grouped.map((transaction) => transaction.id)).toContain(id);
    }
  });

  it('keeps the rule: balance = Σ COMPLETED credits − Σ PENDING or COMPLETED debits − their fees', async () => {
    const transactions = await transactionsOfCustomer();
    for (const { id, currency } of Object.values(wallets)) {
      const zero = Money.zero(currency);
      const sum = transactions.reduce((total, transaction) => {
        const { transaction_mode: mode, status, fee } = transaction;
        const amount = Money.parse(currency, transaction.asset_code === currency ? transaction.amount : '0');
        if (mode === 'CREDIT' && transaction.receiver_wallet_id === id && status === 'COMPLETED')
          return total.plus(amount);
        if (mode === 'DEBIT' && transaction.sender_wallet_id === id && ['PENDING', 'COMPLETED'].includes(status)) {
          return total.minus(amount).minus(fee ? Money.parse(currency, fee) : zero);
        }
        return total;
      }, zero);
      expect(`${currency} ${sum.toString()}`).toBe(`${currency} ${await balanceOf(merchant, id)}`);
    }
  });

  const idOf = (currency: string) => wallets[currency]?.id ?? '';

  async function balances() {
    const listed = await dataOf(merchant.get<Wallet[]>(`/wallets?customer_id=${customer.id}`));
    return Object.fromEntries(listed.map(({ currency, balance }) => [currency, balance]));
  }

  function payOutToBank(request: { account_number: string; amount: string }) {
    const bank = { bank_name: 'First Bank', bank_code: '011', recipient_name: 'Ada Obi' };
    const recipient = { recipient_currency: 'NGN', recipient_country: 'Nigeria' };
    const body = { customer_id: customer.id, currency: 'USDT', ...bank, ...recipient, ...request };
    return dataOf(merchant.post<Transaction>('/payouts/banks', body));
  }

  function statusOf({ transaction_id }: Transaction, status: string) {
    return eventually(`payout ${transaction_id} is ${status}`, async () => {
      const payout = await dataOf(merchant.get<Transaction>(`/customers/transactions/by_txid/${transaction_id}`));
      return payout.status === status;
    });
  }

  function transactionsOfCustomer() {
    return dataOf(merchant.get<Transaction[]>(`/customers/transactions/by_customer_id/${customer.id}?limit=100`));
  }
});
