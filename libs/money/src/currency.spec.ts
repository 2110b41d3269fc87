import { assetTypeOf, CURRENCIES, decimalsOf, isCurrency, networksOf, NETWORKS } from './currency';

describe('currencies', () => {
  it.each([
    ['USDC', 'STABLECOIN', 6, ['erc20', 'bep20', 'solana', 'polygon']],
    ['USDT', 'STABLECOIN', 6, ['erc20', 'bep20', 'solana', 'trc20', 'polygon']],
    ['USD', 'FIAT', 2, []],
    ['NGN', 'FIAT', 2, []],
    ['GBP', 'FIAT', 2, []],
    ['EUR', 'FIAT', 2, []],
    ['CAD', 'FIAT', 2, []],
  ] as const)('%s is %s with %i decimals', (currency, assetType, decimals, networks) => {
    expect(isCurrency(currency)).toBe(true);
    expect(assetTypeOf(currency)).toBe(assetType);
    expect(decimalsOf(currency)).toBe(decimals);
    expect(networksOf(currency)).toEqual(networks);
  });

  it('are these seven, on these five networks', () => {
    expect(Object.keys(CURRENCIES)).toEqual(['USDC', 'USDT', 'USD', 'NGN', 'GBP', 'EUR', 'CAD']);
    expect(NETWORKS).toEqual(['erc20', 'bep20', 'solana', 'trc20', 'polygon']);
  });

  it.each(['usdc', 'Usdt', ' USD', 'USD ', '', 'BTC', 'constructor', '__proto__', 'toString'])(
    '%p is no currency',
    (text) => {
      expect(isCurrency(text)).toBe(false);
    },
  );
});
