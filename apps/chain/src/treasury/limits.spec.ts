import { readAmounts } from './amounts-by-currency';
import { limitUnits, requireLimits } from './limits';

describe('amounts by currency', () => {
  it.each(['USDT:100', 'USDT:100,USDC:250.50', ' USDC:0.000001 , USDT:1 '])('"%s" is read', (text) => {
    expect(readAmounts(text).size).toBe(text.split(',').length);
  });

  it.each([
    '100',
    'USDT',
    'USDT:',
    'USDT:-1',
    'USDT:1,USDT:2',
    'NGN:5',
    'USDT:0.0000001',
    'USDT:1e3',
    'USDT:1.2.3',
    '',
  ])('"%s" is refused, with what is expected', (text) =>
    expect(() => readAmounts(text)).toThrow('amounts by currency, such as USDT:100,USDC:100'),
  );

  it('are units of the token of the network', () => {
    const amounts = readAmounts('USDT:100.5');
    expect(limitUnits(amounts, 'erc20', 'USDT')).toBe(100_500_000n);
    expect(limitUnits(amounts, 'bep20', 'USDT')).toBe(1_005n * 10n ** 17n);
    expect(limitUnits(amounts, 'erc20', 'USDC')).toBeUndefined();
  });
});

const limits = (hotMin: string, hotTarget: string, hotMax: string) => {
  const [min, target, max] = [hotMin, hotTarget, hotMax].map((text) => (text === '' ? new Map() : readAmounts(text)));
  return () => requireLimits({ sweepAbove: new Map(), hotMin: min!, hotTarget: target!, hotMax: max! });
};

it.each([
  ['', 'USDT:100', ''],
  ['', '', 'USDT:100'],
  ['', 'USDT:100', 'USDC:200'],
  ['', 'USDT:100', 'USDT:100'],
  ['USDT:100', 'USDT:100', 'USDT:200'],
])('limits that do not go together are refused: min %j, target %j, max %j', (...texts) =>
  expect(limits(...texts)).toThrow(/^CHAIN_HOT_/),
);

it.each([
  ['', '', ''],
  ['USDT:5', '', ''],
  ['USDT:99.999999', 'USDT:100', 'USDT:100.000001'],
])('limits that do are taken: min %j, target %j, max %j', (...texts) => expect(limits(...texts)).not.toThrow());
