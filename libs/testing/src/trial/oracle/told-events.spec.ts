import { Money } from '@stablecoin/money/money';
import { Operation } from '../traffic/operation';
import { compareWithEvents, ToldEvent } from './told-events';

const owner = { customerId: null, wallets: { USD: 'dollars', EUR: 'euros', USDT: 'tethers' } };
const merchant = { id: 'm', apiKey: 'key', shard: 0, owners: [owner] };
const operation = (changes: Partial<Operation> = {}): Operation => ({
  ...{ serial: 1, kind: 'payout', merchant, owner, amount: Money.parse('USD', '5'), path: '', body: {}, key: 'k' },
  ...{ expected: 'acknowledged', outcome: 'acknowledged', ends: 'COMPLETED' },
  ...{ beganAt: 0, attempts: 1, transactions: ['t'] },
  ...changes,
});
const told = (type: string, changes: Partial<ToldEvent> = {}): ToldEvent => ({
  ...{ merchant_id: 'm', type, resource_id: 't' },
  ...changes,
});
const completed = told('payout.completed');

describe('the model against the events', () => {
  it.each<[string, Operation, ToldEvent[]]>([
    ['a deposit', operation({ kind: 'deposit' }), [told('deposit.pending'), told('deposit.completed')]],
    [
      'a swap, under its own id',
      operation({ kind: 'swap', swapId: 's' }),
      [told('swap.completed', { resource_id: 's' })],
    ],
    ['a payout that arrives', operation(), [completed]],
    ['a payout that fails', operation({ ends: 'FAILED' }), [told('payout.failed')]],
    ['a payout that comes back', operation({ ends: 'REVERSED' }), [completed, told('payout.reversed')]],
    ['nothing that was refused', operation({ outcome: 'refused', transactions: [] }), []],
  ])('wants of %s what belongs to it', (_, one, events) => expect(compareWithEvents([one], events)).toEqual([]));

  it.each<[string, ToldEvent[], RegExp[]]>([
    ['misses an event that was never sent', [], [/^no payout.completed: #1 payout/]],
    ['sees an event that was sent twice', [completed, completed], [/^1 × payout.completed of t/]],
    ['sees an event that no operation explains', [completed, told('payout.reversed')], [/^1 × payout.reversed of t/]],
    [
      'sees an event that another merchant received',
      [told('payout.completed', { merchant_id: 'o' })],
      [/^no payout/, /merchant o/],
    ],
  ])('%s', (_, events, expected) => {
    expect(compareWithEvents([operation()], events)).toEqual(
      expected.map((found) => expect.stringMatching(found) as unknown),
    );
  });
});
