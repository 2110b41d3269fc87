import { accountName, type ExplainedEvent, isWallet, stepsOf } from './legs';

const WALLET = '0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80';
const event = (position: number, over: Partial<ExplainedEvent>): ExplainedEvent => ({
  ...{ position, group: 10, movement: 'payout-accepted', recorded_at: '2026-01-31T09:30:00.000Z', command_id: 'c' },
  ...{ type: 'DebitPosted', account_id: WALLET, currency: 'USDC', amount: '10.50000000', from_status: null },
  ...{ to_status: null, balance_after: '89.50000000', leaf_hash: '00' },
  ...over,
});
const payout = [
  event(10, {}),
  event(11, { type: 'CreditPosted', account_id: 'payout-clearing:USDC', balance_after: null }),
  event(31, {
    ...{ group: 30, movement: 'payout-completed', type: 'TransactionStatusChanged', amount: null, currency: null },
    ...{ from_status: 'PENDING', to_status: 'COMPLETED' },
  }),
  event(30, { group: 30, movement: 'payout-completed', account_id: 'payout-clearing:USDC', amount: '10.50000000' }),
];

describe('the timeline of a transaction', () => {
  it('has one step per group, with its legs and the status that it led to', () => {
    const steps = stepsOf(payout);
    expect(steps.map(({ group, movement, status }) => [group, movement, status])).toEqual([
      [10, 'payout-accepted', null],
      [30, 'payout-completed', 'COMPLETED'],
    ]);
    expect(steps[0]?.legs.map(({ side, account }) => [side, account])).toEqual([
      ['debit', WALLET],
      ['credit', 'payout-clearing:USDC'],
    ]);
  });

  it('says where debits and credits differ', () => {
    expect(stepsOf(payout).map(({ balanced }) => balanced)).toEqual([true, false]);
  });

  it('calls accounts of the house by what they are for', () => {
    const names = ['external:bank:NGN', 'external:erc20:USDC', 'external:chain:USDC', 'fees:USD', WALLET];
    expect(names.map(accountName)).toEqual([
      'Outside, at banks',
      'Outside, on Ethereum',
      'Outside, on chains',
      'Fees',
      WALLET,
    ]);
    expect(names.map(isWallet)).toEqual([false, false, false, false, true]);
  });
});
