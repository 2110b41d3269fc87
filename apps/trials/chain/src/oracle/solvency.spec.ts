import { findingsOfSolvency, type SolvencyReport } from './solvency';

type Token = SolvencyReport['networks'][number]['tokens'][number];
const TOKEN: Token = {
  currency: 'USDT',
  explained: {
    uncredited: { transfers: 0, amount: '0' },
    paid: { transfers: 0, amount: '0' },
    unrecognised: { transfers: 1, amount: '3' },
    not_credited: { transfers: 1, amount: '2' },
    rest: { transfers: 1, amount: '0.000000000000000007' },
  },
  ordered: [],
  findings: [],
};
const report = (over: Partial<Token> = {}, ok = true): SolvencyReport => ({
  ok,
  currencies: [{ currency: 'USDT', covered: true, surplus: '1' }],
  networks: [{ network: 'erc20', tokens: [{ ...TOKEN, ...over }] }],
});

it('finds nothing where all is covered and nothing is under way', () => {
  expect(findingsOfSolvency(report())).toEqual([]);
});

it.each<[string, Partial<Token>, string]>([
  [
    'a difference',
    { findings: [{ amount: '-5', problem: '0x1 left without a payout' }] },
    '-5: 0x1 left without a payout',
  ],
  ['a payout under way', { explained: { paid: { transfers: 1, amount: '-2' } } }, '-2 in 1 transfers are paid'],
  [
    'a deposit under way',
    { explained: { uncredited: { transfers: 2, amount: '4' } } },
    '4 in 2 transfers are uncredited',
  ],
  ['an open order', { ordered: [{ kind: 'payout', state: 'sent', orders: 1 }] }, '1 orders of payout are sent'],
])('finds %s', (_, over, finding) => {
  expect(findingsOfSolvency(report(over))).toEqual([`audit solvency: USDT on erc20: ${finding}`]);
});

it('finds what is not covered, and a verdict without a reason', () => {
  const short = { ...report({}, false), currencies: [{ currency: 'USDT', covered: false, surplus: '-7' }] };
  expect(findingsOfSolvency(short)).toEqual(['audit solvency: USDT is not covered: -7']);
  expect(findingsOfSolvency(report({}, false))).toEqual(['audit solvency: it says that not all is well, and not what']);
});
