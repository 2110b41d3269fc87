import { Money } from '@stablecoin/money/money';
import { Merchant } from '../traffic/merchants';
import { Operation } from '../traffic/operation';
import { LoggedTransaction } from './event-log';
import { compareWithLog, expectedBalances } from './model-check';

const owner = { customerId: null, wallets: { USD: 'dollars', EUR: 'euros', USDT: 'tethers' } };
const merchant: Merchant = { id: 'm', apiKey: 'key', shard: 0, owners: [owner] };
const dollars = (text: string) => Money.parse('USD', text);

const operation = (changes: Partial<Operation> = {}): Operation => ({
  ...{ serial: 1, kind: 'payout', merchant, owner, amount: dollars('5.00000001'), path: '', body: {}, key: 'k' },
  ...{
    expected: 'acknowledged',
    outcome: 'acknowledged',
    beganAt: 0,
    attempts: 1,
    transactions: ['t'],
    ends: 'COMPLETED',
  },
  ...changes,
});

const logged = (changes: Partial<LoggedTransaction> = {}): LoggedTransaction => ({
  ...{
    id: 't',
    referenceId: 'r',
    merchantId: 'm',
    type: 'PAYOUT',
    walletId: 'dollars',
    currency: 'USD',
    amount: '5.00000001',
  },
  ...{ opened: 1, statuses: ['PENDING', 'COMPLETED'] },
  ...changes,
});

function findings(operations: Operation[], transactions: LoggedTransaction[]): string[] {
  const log = { events: 0, faults: [], transactions: new Map(transactions.map((one) => [one.id, one])) };
  return Object.entries(compareWithLog(operations, log)).flatMap(([kind, found]) =>
    (found as string[]).map(() => kind),
  );
}

describe('the model against the log', () => {
  it.each<[string, Operation[], LoggedTransaction[], string[]]>([
    ['is content when both say the same', [operation()], [logged()], []],
    ['misses what was acknowledged', [operation()], [], ['lost']],
    ['sees what was opened twice', [operation()], [logged({ opened: 2 })], ['doubled']],
    ['sees what was never acknowledged', [operation()], [logged(), logged({ id: 'other' })], ['doubled']],
    ['sees one transaction that two callers received', [operation(), operation()], [logged()], ['doubled']],
    ['sees another amount', [operation()], [logged({ amount: '6.00000000' })], ['wrong']],
    ['sees another wallet', [operation()], [logged({ walletId: 'euros' })], ['wrong']],
    ['sees what has not come to its end', [operation()], [logged({ statuses: ['PENDING'] })], ['stuck']],
    ['sees what ended otherwise', [operation({ ends: 'FAILED' })], [logged()], ['stuck']],
    ['sees what stayed unknown', [operation({ outcome: 'open', transactions: [] })], [], ['stuck']],
    [
      'does not call doubled what stayed unknown',
      [operation({ outcome: 'open', transactions: [] })],
      [logged()],
      ['stuck'],
    ],
    [
      'wants nothing of what was refused, on neither side',
      [operation({ kind: 'swap', swapId: 's', outcome: 'refused', transactions: [] })],
      [logged({ referenceId: 's' }), logged({ id: 'credit', referenceId: 's', amount: '9.00000000' })],
      ['leftOver', 'leftOver'],
    ],
    [
      'wants nothing of what was refused',
      [operation({ outcome: 'refused', transactions: [] })],
      [logged()],
      ['leftOver'],
    ],
  ])('%s', (_, operations, transactions, expected) => expect(findings(operations, transactions)).toEqual(expected));
});

it('expects of every wallet what its owner’s answers add up to', () => {
  const swap = {
    kind: 'swap',
    amount: dollars('10'),
    brings: Money.parse('EUR', '9'),
    transactions: ['d', 'c'],
  } as const;
  const balances = expectedBalances([
    operation({ kind: 'deposit', amount: dollars('100') }),
    operation({ amount: dollars('20') }),
    operation({ amount: dollars('7'), ends: 'REVERSED' }),
    operation({ amount: dollars('3'), outcome: 'refused' }),
    operation(swap),
  ]);
  expect(Object.fromEntries([...balances].map(([wallet, balance]) => [wallet, balance.toString()]))).toEqual({
    dollars: '70.00000000',
    euros: '9.00000000',
  });
});
