import { Amount } from './amounts';
import { coverageOf } from './coverage';
import { EXPLANATIONS, Explanation, Reconciliation } from './reconcile';

const network = (held: Amount, amounts: Partial<Record<Explanation, Amount>> = {}): Reconciliation => ({
  ...{
    held,
    putIn: { items: 0, amount: 0n },
    takenOut: { items: 0, amount: 0n },
    booked: 0n,
    decisions: [],
    findings: [],
  },
  explained: Object.fromEntries(
    Object.keys(EXPLANATIONS).map((name) => [name, { items: 1, amount: amounts[name as Explanation] ?? 0n }]),
  ) as Reconciliation['explained'],
});

it.each<[string, Amount, Amount, Reconciliation[], Amount]>([
  ['all networks together', 100n, 0n, [network(60n), network(41n)], 1n],
  ['what is owed came from a swap', 100n, 0n, [network(99n)], -1n],
  ['a deposit that will be owed covers nothing', 100n, 0n, [network(100n, { uncredited: 5n })], -5n],
  ['nor one that is not recognised', 100n, 0n, [network(100n, { unrecognised: 5n })], -5n],
  ['what was paid is owed no longer', 100n, 0n, [network(95n, { paid: -5n })], 0n],
  ['what is paid in a later block is gone', 100n, 0n, [network(100n, { 'paid-later': 5n })], -5n],
  ['what is finer than the ledger is ours', 100n, 0n, [network(100n, { rest: 5n })], 0n],
  ['what is owed came in elsewhere', 100n, 30n, [network(70n)], 0n],
  ['more went out elsewhere than came in', 100n, -30n, [network(99n)], -1n],
])('%s', (_, owed, elsewhere, networks, surplus) =>
  expect(coverageOf('USDT', owed, { elsewhere, stated: 0n }, networks).surplus).toBe(surplus),
);

it('what is stated to be held elsewhere covers, and no more than that', () => {
  expect(coverageOf('USDT', 100n, { elsewhere: 0n, stated: 30n }, [network(69n)])).toMatchObject({
    ...{ held: 69n, stated: 30n, surplus: -1n },
  });
});
