import { Block } from '@stablecoin/chain-node/chain-node';
import { tokenOf } from '@stablecoin/chains/tokens';
import {
  comparedHeights,
  confirmationsFor,
  finalHeight,
  parseFinality,
  settledHeights,
  usesFinalized,
  wholeFinalHeight,
} from './finality';
import { hashOf } from '../testing/simulated-chain';

const usdt = tokenOf('erc20', 'USDT')!;
const usdtOfBnb = tokenOf('bep20', 'USDT')!;

it.each([
  ['finalized', [{ upTo: null, confirmations: null }]],
  ['12', [{ upTo: null, confirmations: 12 }]],
  [
    '100:2, 10000:6,finalized',
    [
      { upTo: 100, confirmations: 2 },
      { upTo: 10_000, confirmations: 6 },
      { upTo: null, confirmations: null },
    ],
  ],
])('reads %s', (text, policy) => {
  expect(parseFinality(text)).toEqual(policy);
});

it.each(['', 'final', '0', '-1', '1.5', '100:2', '100:2,50:6,12', '100:2,100:3,4', '12,finalized', 'x:1,2', '0:1,2'])(
  'refuses %p',
  (text) => {
    expect(() => parseFinality(text)).toThrow(/finalized, a number of confirmations, or tiers/);
  },
);

it.each([
  [usdt, 100_000_000n, 2],
  [usdt, 100_000_001n, 6],
  [usdt, 10_000_000_001n, null],
  [usdtOfBnb, 100n * 10n ** 18n, 2],
  [usdtOfBnb, 100n * 10n ** 18n + 1n, 6],
])('takes the tier of the amount, in the token’s own decimals: %#', (token, units, confirmations) => {
  expect(confirmationsFor(parseFinality('100:2,10000:6,finalized'), token, units)).toBe(confirmations);
});

it('counts the block of a transfer as its first confirmation', () => {
  const heights = { finalized: 80, agreed: 100 };
  expect([1, 12, null].map((confirmations) => finalHeight(confirmations, heights))).toEqual([100, 89, 80]);
});

it('compares nodes where each tier ends, and keeps what any of them may still change', () => {
  const heights = { finalized: 80, agreed: 100 };
  const policy = parseFinality('100:2,10000:6,finalized');
  expect(comparedHeights(policy, heights)).toEqual([99, 95, 80]);
  expect(wholeFinalHeight(policy, heights)).toBe(80);
  expect([policy, parseFinality('100:2,6')].map(usesFinalized)).toEqual([true, false]);
  expect(comparedHeights(parseFinality('6'), { finalized: 0, agreed: 3 })).toEqual([]);
});

describe('what was final before the newest block was asked for', () => {
  const block = (number: number, made = 'first'): Block => ({
    ...{ number, hash: hashOf(number, made), parentHash: hashOf(number - 1, made), timestamp: number },
  });
  const heights = { finalized: 5, agreed: 9 };
  const former = { tail: [block(8), block(9)], heights };
  const walked = { from: former.tail, tail: [block(9), block(10)], replaced: [], head: block(10) };

  it.each([
    ['is that of the pass before', former, walked, heights],
    ['also where nothing is new', former, { ...walked, tail: walked.from, head: block(9) }, heights],
    ['is not known to the first pass', undefined, walked, undefined],
    ['nor where another instance has walked since', { ...former, tail: [block(8)] }, walked, undefined],
    ['nor where it had come to other blocks', { ...former, tail: [block(9, 'other')] }, walked, undefined],
    ['nor while newer blocks are not walked', former, { ...walked, head: block(11) }, undefined],
    ['nor after blocks were replaced', former, { ...walked, replaced: [block(9)] }, undefined],
    ['nor where the nodes did not agree', { ...former, heights: undefined }, walked, undefined],
  ])('%s', (_which, before, pass, expected) => expect(settledHeights(before, pass)).toEqual(expected));
});
