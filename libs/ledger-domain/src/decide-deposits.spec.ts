import {
  CUSTOMER,
  DepositSaid,
  MERCHANT,
  OTHER_MERCHANT,
  Scenario,
  close,
  customer,
  deposit,
  funded,
  hold,
  open,
  resolve,
  said,
  swap,
} from './testing/ledger-scenario';

const NO_MORE = {
  ConfirmDeposit: 'invalid_transition',
  FailDeposit: 'invalid_transition',
  ReverseDeposit: 'invalid_transition',
};

describe('deposits', () => {
  it('are in the balance once they are confirmed, not before', () => {
    const ledger = new Scenario().given(open('USD'), deposit('10', { confirmed: false }));
    expect(ledger.balance('wallet-USD')).toBe('0.00000000');
    ledger.given({ kind: 'ConfirmDeposit', merchant_id: MERCHANT, transaction: 'deposit-1' });
    expect(ledger.balance('wallet-USD')).toBe('10.00000000');
    expect(ledger.balance('external:bank:USD')).toBe('-10.00000000');
    expect(ledger.state.transaction('deposit-1')).toMatchObject({ status: 'COMPLETED', balance: '10.00000000' });
  });

  it('that arrive confirmed are recorded and completed as two groups', () => {
    const groups = new Scenario().given(open('USD')).when(deposit('10'));
    expect(groups.map(({ movement }) => movement)).toEqual(['deposit-recorded', 'deposit-completed']);
  });

  it.each([
    ['to a wallet that does not exist', deposit('1', { wallet_id: 'nowhere' }), 'not_found'],
    ['to another merchant’s wallet', deposit('1', { merchant_id: OTHER_MERCHANT }), 'not_found'],
    ['on a network without an address', deposit('1', { network: 'erc20' }), 'unsupported_network'],
  ])('%s are refused', (_what, command, code) => {
    expect(new Scenario().given(open('USD')).refusalOf(command)).toBe(code);
  });

  it('keep the name that the chain gives them from their first event on, beside the sender’s reference', () => {
    const ledger = new Scenario().given(open('USDT', { network: 'erc20' }));
    const named = {
      wallet_id: 'wallet-USDT',
      network: 'erc20',
      crypto_transaction_id: '0xabc',
      confirmed: false,
    } as const;
    ledger.given(deposit('5', { ...named, reference: 'invoice 7' }));
    const seen = { status: 'PENDING', crypto_transaction_id: '0xabc', reason: 'invoice 7' };
    expect(ledger.state.transaction('deposit-1')).toMatchObject(seen);
    ledger.given(said('ConfirmDeposit'));
    expect(ledger.state.transaction('deposit-1')).toMatchObject({ ...seen, status: 'COMPLETED' });
  });

  it('to a wallet without a network have no chain’s name', () => {
    const command = deposit('5', { crypto_transaction_id: '0xabc' });
    expect(new Scenario().given(open('USD')).refusalOf(command)).toBe('unsupported_network');
  });

  it('that fail move no money, and leave nothing under way', () => {
    const ledger = new Scenario().given(open('USD'), deposit('10', { confirmed: false }));
    const groups = ledger.when(said('FailDeposit'));
    expect(groups.map(({ movement, events }) => [movement, events.length])).toEqual([['deposit-failed', 1]]);
    expect(ledger.state.account('wallet-USD', 'USD').open_transactions).toBe(0);
    expect(ledger.balance('external:bank:USD')).toBe('0.00000000');
    expect(ledger.state.transaction('deposit-1')).toMatchObject({ status: 'FAILED', balance: '0.00000000' });
  });

  it('come from the account of their network', () => {
    const ledger = new Scenario();
    for (const network of ['erc20', 'solana'] as const) {
      ledger.given(open('USDC', { network }), deposit('5', { id: network, wallet_id: 'wallet-USDC', network }));
    }
    ledger.given({ ...said('ReverseDeposit'), transaction: 'solana' });
    expect(ledger.balance('external:erc20:USDC', 'USDC')).toBe('-5.00000000');
    expect(ledger.balance('external:solana:USDC', 'USDC')).toBe('0.00000000');
    expect(ledger.balance('wallet-USDC', 'USDC')).toBe('5.00000000');
  });

  const PATHS: [string, boolean, DepositSaid[], Record<DepositSaid, string>][] = [
    [
      'PENDING',
      false,
      [],
      { ConfirmDeposit: 'accepted', FailDeposit: 'accepted', ReverseDeposit: 'invalid_transition' },
    ],
    ['COMPLETED', true, [], { ...NO_MORE, ReverseDeposit: 'accepted' }],
    ['FAILED', false, ['FailDeposit'], NO_MORE],
    ['REVERSED', true, ['ReverseDeposit'], NO_MORE],
  ];
  it.each(PATHS)('that are %s move only where the table says', (_status, confirmed, path, table) => {
    for (const [kind, outcome] of Object.entries(table) as [DepositSaid, string][]) {
      const ledger = new Scenario().given(open('USD'), deposit('10', { confirmed }), ...path.map(said));
      expect([kind, ledger.refusalOf(said(kind))]).toEqual([kind, outcome]);
    }
  });

  it.each(['ConfirmDeposit', 'FailDeposit', 'ReverseDeposit'] as const)(
    '%s finds only a deposit of the merchant',
    (kind) => {
      const ledger = funded().given(hold('1'));
      expect(ledger.refusalOf({ ...said(kind), merchant_id: OTHER_MERCHANT })).toBe('not_found');
      expect(ledger.refusalOf({ ...said(kind), transaction: 'payout-1' })).toBe('not_found');
      expect(ledger.refusalOf({ ...said(kind), transaction: 'nothing' })).toBe('not_found');
    },
  );
});

describe('a deposit that is reversed after it was spent', () => {
  const overdrawn = () => funded('10').given(open('NGN'), hold('7.5'), said('ReverseDeposit'));

  it('leaves the wallet below zero, and the books even', () => {
    const ledger = overdrawn();
    expect(ledger.balance('wallet-USD')).toBe('-7.50000000');
    expect(ledger.state.account('wallet-USD', 'USD').reversed_deposits.toString()).toBe('10.00000000');
    expect(ledger.state.transaction('deposit-1')).toMatchObject({ status: 'REVERSED', balance: '-7.50000000' });
    expect(ledger.sum('USD')).toBe('0.00000000');
  });

  it.each([
    ['payout', hold('0.01', { id: 'payout-2' })],
    ['swap', swap('0.01', '15')],
  ])('lets no %s out until it is covered', (_what, out) => {
    const ledger = overdrawn().given(deposit('7.5', { id: 'cover' }));
    expect(ledger.refusalOf(out)).toBe('insufficient_funds');
    ledger.given(deposit('0.01', { id: 'more' }));
    expect(ledger.refusalOf(out)).toBe('accepted');
  });

  it('may be covered by money that comes back, also by a part of what is missing', () => {
    const ledger = overdrawn().given(deposit('0.01', { id: 'part' }));
    expect(ledger.balance('wallet-USD')).toBe('-7.49000000');
    ledger.given(resolve('FAILED'));
    expect(ledger.balance('wallet-USD')).toBe('0.01000000');
  });

  it('keeps its customer from being closed', () => {
    const ledger = new Scenario().given(open('USD', { ...customer, wallet_id: 'wallet-USD' }), deposit('10'));
    ledger.given(hold('10', customer), resolve('COMPLETED'), said('ReverseDeposit'));
    expect(ledger.refusalOf(close(CUSTOMER))).toBe('customer_not_empty');
  });

  it.each([
    ['8', '4', '-2.00000000', []],
    ['10', '2', '0.00000000', []],
    ['12', null, '0.00000000', ['transfer-sent', 'wallet-opened', 'transfer-received']],
  ])('of a closed customer is covered first by a return of %s', (amount, rest, balance, onward) => {
    const ledger = new Scenario().given(open('USD', { ...customer, wallet_id: 'wallet-USD' }));
    ledger.given(deposit('10'), deposit('2', { id: 'deposit-2' }));
    ledger.given(hold(amount, customer), resolve('COMPLETED'));
    if (rest !== null) ledger.given(hold(rest, { ...customer, id: 'rest' }), resolve('COMPLETED', 'rest'));
    ledger.given(close(CUSTOMER), said('ReverseDeposit'));
    expect(ledger.balance('wallet-USD')).toBe('-10.00000000');
    expect(ledger.when(resolve('REVERSED')).map(({ movement }) => movement)).toEqual(['payout-reversed', ...onward]);
    expect(ledger.balance('wallet-USD')).toBe(balance);
    expect(ledger.balance('wallet-of-merchant')).toBe(onward.length > 0 ? '2.00000000' : '0.00000000');
  });
});
