import { readFeesPerGas, readNativeCaps, readPayoutCaps } from './spending-caps';

it('a token is capped in its own units on its network', () => {
  expect(readPayoutCaps('erc20:USDT=0.5/250000, bep20:USDC=1/2')).toEqual(
    new Map([
      ['erc20:USDT', { perTransaction: 500_000n, perDay: 250_000_000_000n }],
      ['bep20:USDC', { perTransaction: 10n ** 18n, perDay: 2n * 10n ** 18n }],
    ]),
  );
});

it('native coin is capped in wei, and the fee per gas in gwei', () => {
  expect(readNativeCaps('polygon=0.01/1')).toEqual(
    new Map([['polygon', { perTransaction: 10n ** 16n, perDay: 10n ** 18n }]]),
  );
  expect(readFeesPerGas('erc20=200,bep20=0.1')).toEqual(
    new Map([
      ['erc20', 200n * 10n ** 9n],
      ['bep20', 10n ** 8n],
    ]),
  );
});

it.each([
  '',
  'erc20:USDT',
  'erc20:USDT=1',
  'erc20:USDT=1/2/3',
  'erc20:USDT=2/1',
  'erc20:USDT=0.0000001/1',
  'erc20:USDT=-1/2',
  'erc20:USDT=1/2,erc20:USDT=3/4',
  'erc20:DAI=1/2',
  'trc20:USDT=1/2',
  'erc20=1/2',
  'erc20:USDT=1e3/1e4',
  'erc20:USDT=1/2;bep20:USDT=1/2',
])('caps of payouts are not %j', (text) => expect(() => readPayoutCaps(text)).toThrow(/entries like erc20:USDT=/));

it.each(['erc20:USDT=1/2', 'solana=1/2', 'erc20=1'])('caps of native coin are not %j', (text) =>
  expect(() => readNativeCaps(text)).toThrow(/entries like erc20=0.01/),
);

it.each(['erc20=1/2', 'erc20=', 'tron=5'])('caps of fees per gas are not %j', (text) =>
  expect(() => readFeesPerGas(text)).toThrow(/entries like erc20=200/),
);
