import { Client, dataOf } from './client';
import { covers } from './covers';
import { newClient } from './merchants';
import { ADDRESSES, createIndividual, openWallet } from './people';
import { InnerEnvelope, Swap, Transaction } from './resources';

/**
 * What each kind of transaction fills in (x), and what it has as null (-): the same in every list and look-up. `reason`
 * and `crypto_transaction_id` of a deposit depend on where its reference belongs.
 */
const FIELDS = `
                            deposit  fiat-deposit  bank  wallet  debit  credit
  id                        x        x             x     x       x      x
  sender_wallet_id          -        -             x     x       x      x
  receiver_wallet_id        x        x             -     -       x      x
  transaction_id            x        x             x     x       x      x
  asset_code                x        x             x     x       x      x
  amount                    x        x             x     x       x      x
  reference_id              x        x             x     x       x      x
  status                    x        x             x     x       x      x
  created_at                x        x             x     x       x      x
  updated_at                x        x             x     x       x      x
  crypto_transaction_id     x        -             -     -       -      -
  network                   x        -             -     x       -      -
  transaction_type          x        x             x     x       x      x
  transaction_mode          x        x             x     x       x      x
  exchange_rate             -        -             x     x       x      x
  withdrawal_recipient_name -        -             x     x       -      -
  fee                       -        -             x     x       -      -
  balance                   x        x             x     x       x      x
  reason                    -        x             x     x       -      -
  customer_id               x        x             x     x       x      x
  recipient_currency        -        -             x     -       -      -
  recipient_country         -        -             x     -       -      -
  bank_name                 -        -             x     -       -      -
  bank_code                 -        -             x     -       -      -
  bank_account              -        -             x     -       -      -
  address                   -        -             -     x       -      -
  explorer_url              -        -             -     -       -      -
  confirmations             -        -             -     -       -      -
  confirmations_required    -        -             -     -       -      -
  waiting_for               -        -             -     -       -      -
  send_after                -        -             -     -       -      -
  approval_hash             -        -             -     -       -      -
  approval_expires_at       -        -             -     -       -      -
  approvals                 -        -             -     -       -      -
  approvals_required        -        -             -     -       -      -
`;
const OF_A_CHAIN = ['explorer_url', 'confirmations', 'confirmations_required'];
const OF_A_POLICY = [
  ...['waiting_for', 'send_after', 'approval_hash', 'approval_expires_at'],
  ...['approvals', 'approvals_required'],
];
const OF_A_PAYEE = ['recipient_currency', 'recipient_country', 'bank_name', 'bank_code', 'bank_account', 'address'];

const [header = '', ...rows] = FIELDS.split('\n').filter((line) => line.trim() !== '');
const KINDS = header.trim().split(/\s+/);

/** Field → whether it is filled in, for one kind. */
function expectedOf(kind: string): Record<string, boolean> {
  const cells = rows.map((row) => row.trim().split(/\s+/));
  return Object.fromEntries(cells.map(([name = '', ...marks]) => [name, marks[KINDS.indexOf(kind)] === 'x']));
}

const filledIn = (transaction: object) =>
  Object.fromEntries(Object.entries(transaction).map(([name, value]) => [name, value !== null]));

let merchant: Client;
let customer_id: string;
/** As each was answered when it was made, and as the lists show it. */
const made: Record<string, Transaction> = {};
const listed: Record<string, Transaction> = {};

beforeAll(async () => {
  merchant = await newClient(['--payout-fee-flat', '0.1']);
  customer_id = (await createIndividual(merchant)).id;
  const usdt = await openWallet(merchant, { customer_id, currency: 'USDT', network: 'trc20' });
  const naira = await openWallet(merchant, { customer_id, currency: 'NGN' });
  const arrive = (wallet_id: string) =>
    dataOf(merchant.post<Transaction>('/sandbox/deposits', { wallet_id, amount: '100', reference: 'R-1' }));
  made['deposit'] = await arrive(usdt.id);
  made['fiat-deposit'] = await arrive(naira.id);
  const held = { customer_id, currency: 'USDT', recipient_name: 'sandbox:hold' };
  const bank = {
    account_number: '0123456789',
    bank_code: '011',
    bank_name: 'First Bank',
    recipient_country: 'Nigeria',
  };
  made['bank'] = await dataOf(merchant.post<Transaction>('/payouts/banks', { ...held, ...bank, amount: '1' }));
  const chain = { address: ADDRESSES.trc20, network: 'trc20' };
  made['wallet'] = await dataOf(merchant.post<Transaction>('/payouts/wallets', { ...held, ...chain, amount: 1 }));
  const pair = { customer_id, from_currency: 'USDT', to_currency: 'NGN', amount: '10' };
  await dataOf(merchant.post<InnerEnvelope>('/instant-swaps', pair));
  const swap = await dataOf(merchant.post<Swap>('/swaps', pair));
  made['debit'] = swap.debitTransaction;
  made['credit'] = swap.creditTransaction;
  for (const each of await dataOf(merchant.get<Transaction[]>('/transactions'))) {
    const [kind = ''] = Object.entries(made).find(([, { id }]) => id === each.id) ?? [];
    listed[kind] = each;
  }
});

describe.each(KINDS)('a transaction: %s', (kind) => {
  covers('Resource: transaction');
  const expected = expectedOf(kind);

  it('has these fields in GET /transactions', () => {
    expect(filledIn(listed[kind] ?? {})).toEqual(expected);
  });

  it('is the same in both look-ups, and names its merchant in the list by customer', async () => {
    const { id, transaction_id, reference_id } = listed[kind] as Transaction;
    expect(await dataOf(merchant.get(`/customers/transactions/by_txid/${transaction_id}`))).toEqual(listed[kind]);
    const sharing = await dataOf(merchant.get<Transaction[]>(`/customers/transactions/by_ref_id/${reference_id}`));
    expect(sharing.find((each) => each.id === id)).toEqual(listed[kind]);
    const path = `/customers/transactions/by_customer_id/${customer_id}`;
    const found = (await dataOf(merchant.get<Transaction[]>(path))).find((each) => each.id === id) as object;
    const { merchant_id, ...rest } = found as Record<string, unknown>;
    expect([typeof merchant_id, rest]).toEqual(['string', listed[kind]]);
  });

  it('had these fields when it was made, and was PENDING', () => {
    const answered = { ...expected };
    const left = {
      ...Object.fromEntries(['bank', 'wallet'].map((payout) => [payout, OF_A_CHAIN])),
      ...Object.fromEntries(['debit', 'credit'].map((swap) => [swap, [...OF_A_PAYEE, ...OF_A_CHAIN, ...OF_A_POLICY]])),
    }[kind];
    for (const name of left ?? []) delete answered[name];
    if (['bank', 'wallet'].includes(kind)) Object.assign(answered, { amount_fiat: true, fiat_reference_id: false });
    expect(filledIn(made[kind] as object)).toEqual(answered);
    expect(made[kind]?.status).toBe('PENDING');
  });

  it('keeps what it was made with', () => {
    const { status: _s, updated_at: _u, balance: _b, ...before } = made[kind] as Transaction;
    const { amount_fiat: _a, fiat_reference_id: _f, ...kept } = before as unknown as Record<string, unknown>;
    expect(listed[kind]).toMatchObject(kept);
  });
});

describe('both sides of a swap', () => {
  covers('Resource: transaction', 'POST /swaps');

  it('share their reference, their wallets and their price', () => {
    const shared = ({ reference_id, sender_wallet_id, receiver_wallet_id, ...rest }: Transaction) => ({
      reference_id,
      sender_wallet_id,
      receiver_wallet_id,
      rate: (rest as unknown as { exchange_rate: string }).exchange_rate,
    });
    expect(shared(made['debit'] as Transaction)).toEqual(shared(made['credit'] as Transaction));
    expect([made['debit']?.transaction_mode, made['credit']?.transaction_mode]).toEqual(['DEBIT', 'CREDIT']);
    expect([made['debit']?.transaction_id]).not.toEqual([made['credit']?.transaction_id]);
  });
});
