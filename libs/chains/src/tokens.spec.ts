import { isAddress } from '@stablecoin/addresses/validate-address';
import { CURRENCIES } from '@stablecoin/money/currency';
import { EVM_NETWORKS } from './chains';
import { tokenAt, tokenOf, TOKENS } from './tokens';

describe('the tokens', () => {
  it.each(TOKENS)('$network $currency: its address has its check digits', ({ network, address }) =>
    expect(isAddress(network, address)).toBe(true),
  );

  it('are there for every stablecoin of an EVM network, and for nothing else', () => {
    const expected = EVM_NETWORKS.flatMap((network) =>
      Object.entries(CURRENCIES)
        .filter(([, { networks }]) => (networks as readonly string[]).includes(network))
        .map(([currency]) => `${network} ${currency}`),
    );
    expect(TOKENS.map(({ network, currency }) => `${network} ${currency}`).sort()).toEqual(expected.sort());
    expect(tokenOf('erc20', 'USD')).toBeUndefined();
  });

  it('are found by their contract in any case, on their own network alone', () => {
    const usdc = tokenOf('polygon', 'USDC');
    expect(tokenAt('polygon', usdc?.address.toLowerCase() ?? '')).toBe(usdc);
    expect(tokenAt('erc20', usdc?.address ?? '')).toBeUndefined();
  });
});
