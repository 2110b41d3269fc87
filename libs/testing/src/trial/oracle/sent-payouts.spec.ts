import { Money } from '@stablecoin/money/money';
import { Operation } from '../traffic/operation';
import { compareWithRail, SentPayout } from './sent-payouts';

const owner = { customerId: null, wallets: { USD: 'dollars', EUR: 'euros', USDT: 'tethers' } };
const merchant = { id: 'm', apiKey: 'key', shard: 0, owners: [owner] };
const payout = (changes: Partial<Operation> = {}): Operation => ({
  ...{ serial: 1, kind: 'payout', merchant, owner, amount: Money.parse('USD', '5'), path: '', body: {}, key: 'k' },
  ...{ expected: 'acknowledged', outcome: 'acknowledged', ends: 'COMPLETED' },
  ...{ beganAt: 0, attempts: 1, transactions: ['t'] },
  ...changes,
});
const sent: SentPayout = { id: 't', reference: 'payout-t' };

describe('the model against the rail', () => {
  it.each<[string, Operation[], SentPayout[], RegExp[]]>([
    ['is content when each payout was sent once', [payout()], [sent], []],
    ['misses what was never sent', [payout()], [{ id: 't', reference: null }], [/^never sent: #1 payout/]],
    ['misses what the service does not know', [payout()], [], [/^never sent: #1 payout/]],
    [
      'sees what was sent under another name',
      [payout()],
      [sent, { id: null, reference: 'x' }],
      [/^sent as x, of no payout/],
    ],
    [
      'sees what was refused and sent',
      [payout({ outcome: 'refused', transactions: [] })],
      [sent],
      [/^sent as payout-t, of t/],
    ],
    ['asks for payouts alone', [payout({ kind: 'deposit' })], [], []],
  ])('%s', (_, operations, rows, expected) => {
    expect(compareWithRail(operations, rows)).toEqual(expected.map((found) => expect.stringMatching(found) as unknown));
  });
});
