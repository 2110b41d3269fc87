import { canonicalText, CanonicalValue } from '@stablecoin/event-chain/canonical-text';
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { convert } from '@stablecoin/money/price';
import * as fc from 'fast-check';
import { LedgerCommand, ResolvePayout } from './commands';
import { Transaction } from './entities';
import { RecordedEvent } from './events';
import {
  CUSTOMER,
  FEE,
  OTHER_MERCHANT,
  Scenario,
  close,
  customer,
  deposit,
  funded,
  hold,
  open,
  owner,
  resolve,
  said,
  swap,
} from './testing/ledger-scenario';

describe('wallets', () => {
  it('open with an address of the requested network, and take further networks under the same index', () => {
    const ledger = new Scenario().given(open('USDT', { network: 'trc20' }));
    ledger.given(open('USDT', { network: 'erc20', wallet_id: 'unused', address_id: 'address-2', address_index: 9 }));
    const wallet = ledger.state.walletOf(owner, 'USDT');
    expect(wallet?.id).toBe('wallet-USDT');
    expect(wallet?.addresses.map(({ address }) => address)).toEqual(['trc20-3', 'erc20-3']);
  });

  it.each([
    ['a fiat wallet again', open('USD')],
    ['the same network again', open('USDT', { network: 'trc20' })],
  ])('refuse %s', (_what, again) => {
    const ledger = new Scenario().given(open('USD'), open('USDT', { network: 'trc20' }));
    expect(ledger.refusalOf(again)).toBe('wallet_exists');
  });

  it('belong to one owner each', () => {
    const ledger = new Scenario().given(open('USD'), open('USD', { ...customer, wallet_id: 'wallet-of-customer' }));
    expect(ledger.state.walletOf(owner, 'USD')?.id).toBe('wallet-USD');
    expect(ledger.state.walletOf(customer, 'USD')?.id).toBe('wallet-of-customer');
  });
});

describe('payouts', () => {
  it('are held by events whose members are in the order of canonical text, so that each is written in one piece', () => {
    const held = funded()
      .when(hold('4.00', { created_by: { key_id: 'key', signer_id: 'signer' } }))
      .flatMap(({ events }) => events);
    expect(held).toHaveLength(2);
    for (const event of held) expect(JSON.stringify(event)).toBe(canonicalText(event as unknown as CanonicalValue));
  });

  it('hold amount and fee in clearing, and record the price of the moment', () => {
    const ledger = funded().given(hold('40', { fee_schedule: FEE }));
    expect(ledger.balance('wallet-USD')).toBe('58.80000000');
    expect(ledger.balance('payout-clearing:USD')).toBe('41.20000000');
    expect(ledger.state.transaction('payout-1')).toMatchObject({
      status: 'PENDING',
      amount: '40.00000000',
      fee: '1.20000000',
      amount_fiat: '60020.00000000',
      balance: '58.80000000',
    });
  });

  it.each([
    ['COMPLETED', { wallet: '58.80000000', external: '-60.00000000', fees: '1.20000000' }],
    ['FAILED', { wallet: '100.00000000', external: '-100.00000000', fees: '0.00000000' }],
  ] as const)('%s empty the clearing', (resolution, expected) => {
    const ledger = funded().given(hold('40', { fee_schedule: FEE }), resolve(resolution));
    expect(ledger.balance('payout-clearing:USD')).toBe('0.00000000');
    expect({
      wallet: ledger.balance('wallet-USD'),
      external: ledger.balance('external:bank:USD'),
      fees: ledger.balance('fees:USD'),
    }).toEqual(expected);
    expect(ledger.state.transaction('payout-1')).toMatchObject({ status: resolution, fiat_reference_id: 'RAIL-1' });
  });

  it('can be resolved also when amount and fee together exceed the largest amount of a request', () => {
    const most = '999999999999999999';
    const fee_schedule = { flat: most, basis_points: 10_000 };
    const deposits = ['1', '2', '3'].map((id) => deposit(most, { id, reference_id: id }));
    const ledger = funded().given(...deposits, hold(most, { fee_schedule }));
    expect(ledger.refusalOf(resolve('FAILED'))).toBe('accepted');
    expect(ledger.balance('wallet-USD')).toBe('3000000000000000097.00000000');
  });

  it('REVERSED bring amount and fee back', () => {
    const ledger = funded().given(hold('40', { fee_schedule: FEE }), resolve('COMPLETED'), resolve('REVERSED'));
    expect(ledger.balance('wallet-USD')).toBe('100.00000000');
    expect(ledger.balance('fees:USD')).toBe('0.00000000');
  });

  it('keep the chain’s reference when they go by chain', () => {
    const ledger = new Scenario().given(open('USDT', { network: 'trc20' }));
    ledger.given(deposit('5', { wallet_id: 'wallet-USDT' }));
    ledger.given(hold('5', { currency: 'USDT', network: 'trc20', recipient_currency: null, exchange_rate: '1' }));
    ledger.given(resolve('COMPLETED'));
    expect(ledger.state.transaction('payout-1')?.crypto_transaction_id).toBe('RAIL-1');
    expect(ledger.balance('external:trc20:USDT', 'USDT')).toBe('0.00000000');
  });

  it.each([
    ['PENDING', [], { COMPLETED: 'accepted', FAILED: 'accepted', REVERSED: 'invalid_transition' }],
    [
      'COMPLETED',
      ['COMPLETED'],
      { COMPLETED: 'invalid_transition', FAILED: 'invalid_transition', REVERSED: 'accepted' },
    ],
    [
      'FAILED',
      ['FAILED'],
      { COMPLETED: 'invalid_transition', FAILED: 'invalid_transition', REVERSED: 'invalid_transition' },
    ],
    [
      'REVERSED',
      ['COMPLETED', 'REVERSED'],
      { COMPLETED: 'invalid_transition', FAILED: 'invalid_transition', REVERSED: 'invalid_transition' },
    ],
  ] as const)('that are %s move only where the table says', (_from, path, table) => {
    for (const [to, outcome] of Object.entries(table)) {
      const ledger = funded().given(hold('1'), ...path.map((step) => resolve(step)));
      expect([to, ledger.refusalOf(resolve(to as ResolvePayout['resolution']))]).toEqual([to, outcome]);
    }
  });

  // In the order of the guards: each case fails the guards after its own as well.
  it.each([
    ['no wallet in the currency', hold('1000', { currency: 'EUR' }), 'wallet_not_found'],
    ['a closed owner', hold('1000', { ...customer, currency: 'GBP' }), 'customer_closed'],
    ['more, in finer units than cents', hold('1000.001'), 'too_many_decimals'],
    ['more than there is', hold('100.01'), 'insufficient_funds'],
    ['a fee that the rest does not cover', hold('99', { fee_schedule: FEE }), 'insufficient_funds'],
    ['all there is', hold('100'), 'accepted'],
    ['whole cents, however many zeros stand behind them', hold('1.50000000'), 'accepted'],
  ])('with %s', (_what, command, outcome) => {
    const ledger = funded().given(open('GBP', customer), close(CUSTOMER));
    expect(ledger.refusalOf(command)).toBe(outcome);
  });

  it('finer than a cent, from a log older than that rule, can still be resolved', () => {
    const ledger = funded().given(hold('40', { fee_schedule: FEE }));
    const payout = ledger.state.transaction('payout-1') as Transaction;
    ledger.state.putTransaction({ ...payout, amount: '40.00000001', fee: '1.19999999' });
    expect(ledger.refusalOf(resolve('COMPLETED'))).toBe('accepted');
    expect(ledger.balance('external:bank:USD')).toBe('-59.99999999');
  });

  it.each([
    ['unknown', resolve('COMPLETED', 'nothing')],
    ['another merchant’s', { ...resolve('COMPLETED'), merchant_id: OTHER_MERCHANT }],
    ['a deposit', resolve('COMPLETED', 'deposit-1')],
  ])('that are %s are not found', (_what, command) => {
    expect(funded().given(hold('1')).refusalOf(command)).toBe('not_found');
  });
});

describe('swaps', () => {
  it('take from one wallet and give to the other, against liquidity', () => {
    const ledger = funded().given(open('NGN'));
    const groups = ledger.when(swap('10', '15000'));
    expect(groups.map(({ movement }) => movement)).toEqual(['swap-accepted', 'swap-settled']);
    expect(ledger.balance('wallet-USD')).toBe('90.00000000');
    expect(ledger.balance('wallet-NGN', 'NGN')).toBe('15000.00000000');
    expect(ledger.balance('liquidity:USD')).toBe('10.00000000');
    expect(ledger.balance('liquidity:NGN', 'NGN')).toBe('-15000.00000000');
    expect(ledger.state.transaction('swap-debit')).toMatchObject({ status: 'COMPLETED', reference_id: 'quote-1' });
    expect(ledger.state.transaction('swap-credit')).toMatchObject({ status: 'COMPLETED', balance: '15000.00000000' });
  });

  it('do not count the credit before it is COMPLETED', () => {
    const [accepted] = funded().given(open('NGN')).when(swap('10', '15000'));
    const pending = accepted?.events.find((event) => event.type === 'TransactionStatusChanged');
    expect(pending).toMatchObject({ from: null, to: 'PENDING', balance_after: '0.00000000' });
  });

  it('give both transactions codes of their own', () => {
    const ledger = funded().given(open('NGN'), swap('10', '15000'));
    const codes = [...ledger.state.transactions.values()].map(({ transaction_id }) => transaction_id);
    expect(new Set(codes).size).toBe(3);
    expect(codes.every((code) => /^[A-Z0-9]{10}$/.test(code))).toBe(true);
  });

  it.each([
    ['without the wallet to receive', swap('1', '1', { to_currency: 'EUR' }), 'wallet_not_found'],
    ['of one currency', swap('10', '11.8', { to_currency: 'USD', quoted_price: '1.18' }), 'unsupported_pair'],
    ['at a price that is history', swap('101', '1', { valid_until: '1969-12-31T23:59:59.999Z' }), 'quote_expired'],
    ['that give more than the price says', swap('10', '15000.01'), 'quote_mismatch'],
    ['that give less than the price says', swap('10', '14999.99'), 'quote_mismatch'],
    ['that round up', swap('0.01', '0.01', { quoted_price: '0.9999' }), 'quote_mismatch'],
    ['of a live merchant by static rates', swap('1', '1500', { rates: 'static', mode: 'live' }), 'quote_mismatch'],
    ['of more than there is', swap('101', '151500'), 'insufficient_funds'],
  ])('%s are refused', (_what, command, code) => {
    expect(funded().given(open('NGN')).refusalOf(command)).toBe(code);
  });
});

describe('the sandbox', () => {
  const payout = (mode: 'live' | 'test', rail: 'sandbox' | 'chain', to: 'COMPLETED' | 'FAILED' = 'COMPLETED') =>
    funded()
      .given(hold('1'))
      .refusalOf({ ...resolve(to), rail, mode });

  it('credits and pays out for test merchants alone; what it can’t pay out for a live one goes back', () => {
    const credit = (mode: 'live' | 'test', rail: 'sandbox' | 'chain') =>
      funded().refusalOf(deposit('1', { id: 'more', rail, mode }));
    expect([credit('live', 'sandbox'), credit('test', 'sandbox'), credit('live', 'chain')]).toEqual([
      'not_for_live',
      'accepted',
      'accepted',
    ]);
    expect([payout('live', 'sandbox'), payout('test', 'sandbox'), payout('live', 'chain')]).toEqual([
      'not_for_live',
      'accepted',
      'accepted',
    ]);
    expect(payout('live', 'sandbox', 'FAILED')).toBe('accepted');
  });
});

describe('a payout that comes back after its customer was closed', () => {
  const sealed = { ...customer, fee_schedule: FEE };
  /** The customer has paid all of its 41.20 out, fee included, and is closed. */
  const closed = (...before: LedgerCommand[]) =>
    new Scenario()
      .given(...before, open('USD', { ...customer, wallet_id: 'wallet-USD' }), deposit('41.2'))
      .given(hold('40', sealed), resolve('COMPLETED'), close(CUSTOMER));

  it('goes on to the merchant’s wallet, with its fee, and the merchant can spend it', () => {
    const ledger = closed(open('USD', { wallet_id: 'wallet-of-the-house' }));
    const groups = ledger.when(resolve('REVERSED'));
    expect(groups.map(({ movement, customer_id }) => [movement, customer_id])).toEqual([
      ['payout-reversed', CUSTOMER],
      ['transfer-sent', CUSTOMER],
      ['transfer-received', null],
    ]);
    expect(ledger.balance('wallet-USD')).toBe('0.00000000');
    expect(ledger.balance('wallet-of-the-house')).toBe('41.20000000');
    expect(ledger.balance('transfers:USD')).toBe('0.00000000');
    expect(ledger.sum('USD')).toBe('0.00000000');
    expect(ledger.refusalOf(hold('41.2', { id: 'payout-2' }))).toBe('accepted');
  });

  it('opens that wallet if there is none', () => {
    const ledger = closed();
    const movements = ledger.when(resolve('REVERSED')).map(({ movement }) => movement);
    expect(movements).toEqual(['payout-reversed', 'transfer-sent', 'wallet-opened', 'transfer-received']);
    expect(ledger.state.walletOf(owner, 'USD')).toMatchObject({ id: 'wallet-of-merchant', address_index: 8 });
    expect(ledger.balance('wallet-of-merchant')).toBe('41.20000000');
  });

  it('is told by a transaction of each owner, with codes of their own and the payout’s reference', () => {
    const ledger = closed();
    ledger.given(resolve('REVERSED'));
    const payout = ledger.state.transaction('payout-1');
    expect(payout).toMatchObject({ status: 'REVERSED', balance: '41.20000000' });
    const both = {
      status: 'COMPLETED',
      transaction_type: 'INTERNAL TRANSFER',
      amount: '41.20000000',
      sender_wallet_id: 'wallet-USD',
      receiver_wallet_id: 'wallet-of-merchant',
      reference_id: 'reference-2',
      reason: `Return of ${payout?.transaction_id}, whose customer is closed`,
    };
    const sent = { ...both, customer_id: CUSTOMER, transaction_mode: 'DEBIT', balance: '0.00000000' };
    expect(ledger.state.transaction('sent-1')).toMatchObject(sent);
    const received = { ...both, customer_id: null, transaction_mode: 'CREDIT', balance: '41.20000000' };
    expect(ledger.state.transaction('received-1')).toMatchObject(received);
    const codes = [...ledger.state.transactions.values()].map(({ transaction_id }) => transaction_id);
    expect(new Set(codes).size).toBe(4);
    expect([...ledger.state.accounts.values()].every(({ open_transactions }) => open_transactions === 0)).toBe(true);
  });

  it('takes along what an earlier return has left in the wallet', () => {
    const ledger = closed();
    ledger.state.putAccount({ ...ledger.state.account('wallet-USD', 'USD'), balance: Money.parse('USD', '5') });
    ledger.given(resolve('REVERSED'));
    expect(ledger.balance('wallet-of-merchant')).toBe('46.20000000');
  });

  it('stays with a customer that is not closed', () => {
    const ledger = new Scenario().given(open('USD', { ...customer, wallet_id: 'wallet-USD' }), deposit('41.2'));
    ledger.given(hold('40', sealed), resolve('COMPLETED'));
    expect(ledger.when(resolve('REVERSED')).map(({ movement }) => movement)).toEqual(['payout-reversed']);
    expect(ledger.balance('wallet-USD')).toBe('41.20000000');
  });
});

describe('closing a customer', () => {
  const withCustomer = () => new Scenario().given(open('USD', { ...customer, wallet_id: 'wallet-USD' }));

  it.each([
    ['money is left', [deposit('1')]],
    ['a deposit is under way', [deposit('1', { confirmed: false })]],
    ['a payout is open', [deposit('1'), hold('1', customer)]],
  ])('is refused while %s', (_what, commands) => {
    expect(
      withCustomer()
        .given(...commands)
        .refusalOf(close(CUSTOMER)),
    ).toBe('customer_not_empty');
  });

  it('as one of another merchant closes nothing, and can be done once', () => {
    const elsewhere = { ...close(CUSTOMER), merchant_id: OTHER_MERCHANT };
    const ledger = withCustomer().given(deposit('2'), elsewhere);
    expect(ledger.refusalOf(hold('1', customer))).toBe('accepted');
    expect(ledger.refusalOf(deposit('1', { id: 'more' }))).toBe('accepted');
    expect(ledger.refusalOf(elsewhere)).toBe('accepted');
    expect(new Scenario().given(elsewhere).refusalOf(close(CUSTOMER))).toBe('not_found');
  });

  it('is final, and fine to repeat', () => {
    const ledger = withCustomer().given(deposit('1'), hold('1', customer), resolve('COMPLETED'), close(CUSTOMER));
    expect(ledger.when(close(CUSTOMER))).toEqual([]);
    for (const command of [
      open('EUR', customer),
      deposit('1'),
      hold('1', customer),
      swap('1', '1', { ...customer, to_currency: 'USD' }),
    ]) {
      expect([command.kind, ledger.refusalOf(command)]).toEqual([command.kind, 'customer_closed']);
    }
  });
});

describe('after any sequence of commands', () => {
  const amounts = fc.integer({ min: 1, max: 5_000 }).map((cents) => (cents / 100).toFixed(2));
  const bought = (amount: string) => convert(Money.parse('USD', amount), '1500', 'NGN', 'currency').toString();
  const asked = fc.oneof(
    amounts.map((amount) => (ledger: Scenario) => deposit(amount, { id: ledger.id('d') })),
    amounts.map((amount) => (ledger: Scenario) => deposit(amount, { id: ledger.id('d'), confirmed: false })),
    fc
      .tuple(fc.constantFrom('ConfirmDeposit', 'FailDeposit', 'ReverseDeposit'), fc.integer({ min: 1, max: 30 }))
      .map(([kind, number]) => () => ({ ...said(kind), transaction: `d-${number}` })),
    amounts.map((amount) => (ledger: Scenario) => hold(amount, { id: ledger.id('p'), fee_schedule: FEE })),
    fc.tuple(fc.constantFrom('COMPLETED', 'FAILED', 'REVERSED'), fc.integer({ min: 1, max: 30 })).map(
      ([to, number]) =>
        () =>
          resolve(to, `p-${number}`),
    ),
    amounts.map(
      (amount) => (ledger: Scenario) =>
        swap(amount, bought(amount), { debit_id: ledger.id('s'), credit_id: ledger.id('c') }),
    ),
  );

  it('sums to zero per currency and per group, and no wallet owes more than its reversed deposits or is off its transactions', () => {
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 40 }), (steps) => {
        const ledger = new Scenario().given(open('USD'), open('NGN'));
        steps.forEach((step) => ledger.refusalOf(step(ledger)));
        expect([ledger.sum('USD'), ledger.sum('NGN')]).toEqual(['0.00000000', '0.00000000']);
        for (const currency of ['USD', 'NGN'] as const) {
          expect(owedBeyondReversals(ledger, currency)).toBe(false);
          expect(ledger.balance(`wallet-${currency}`, currency)).toBe(countedBalance(ledger, currency));
        }
        expect([...groupSums(ledger.events).values()].every((sum) => sum === 0n)).toBe(true);
      }),
    );
  });

  function owedBeyondReversals(ledger: Scenario, currency: Currency): boolean {
    const reversed = [...ledger.state.transactions.values()]
      .filter((one) => one.currency === currency && one.transaction_type === 'DEPOSIT' && one.status === 'REVERSED')
      .reduce((sum, { amount }) => sum.plus(Money.parse(currency, amount)), Money.zero(currency));
    const { balance, reversed_deposits } = ledger.state.account(`wallet-${currency}`, currency);
    expect(reversed_deposits.toString()).toBe(reversed.toString());
    return balance.plus(reversed).isNegative();
  }

  /** Σ COMPLETED credits − Σ PENDING or COMPLETED debits and their fees. */
  function countedBalance(ledger: Scenario, currency: Currency): string {
    let total = Money.zero(currency);
    for (const transaction of ledger.state.transactions.values()) {
      if (transaction.currency !== currency) continue;
      const amount = Money.parse(currency, transaction.amount);
      const fee = transaction.fee === null ? Money.zero(currency) : Money.parse(currency, transaction.fee);
      const { status, transaction_mode } = transaction;
      if (transaction_mode === 'CREDIT' && status === 'COMPLETED') total = total.plus(amount);
      if (transaction_mode === 'DEBIT' && (status === 'PENDING' || status === 'COMPLETED'))
        total = total.minus(amount.plus(fee));
    }
    return total.toString();
  }

  function groupSums(events: RecordedEvent[]): Map<string, bigint> {
    const sums = new Map<string, bigint>();
    for (const { group, event } of events) {
      if (event.type !== 'DebitPosted' && event.type !== 'CreditPosted') continue;
      const { units } = Money.parse(event.currency, event.amount);
      const key = `${group}/${event.currency}`;
      sums.set(key, (sums.get(key) ?? 0n) + (event.type === 'CreditPosted' ? units : -units));
    }
    return sums;
  }
});
