import { tokenOf } from './tokens';
import type { EvmNetwork } from './chains';
import { toLedgerAmount, toUnits } from './units';

const usdt = (network: EvmNetwork) => {
  const token = tokenOf(network, 'USDT');
  if (!token) throw new Error('USDT is on every chain');
  return token;
};

describe('units of a token', () => {
  it.each([
    ['erc20', 1n, '0.00000100', 0n],
    ['erc20', 12_345_678n, '12.34567800', 0n],
    ['bep20', 10n ** 18n, '1.00000000', 0n],
    ['bep20', 1_234_567_890_123_456_789n, '1.23456700', 890_123_456_789n],
    ['bep20', 10n ** 12n - 1n, '0.00000000', 10n ** 12n - 1n],
  ] as const)('on %s: %d are %s, and %d finer than the ledger', (network, units, amount, rest) =>
    expect(toLedgerAmount(usdt(network), units)).toEqual({ amount, rest }),
  );

  it.each([
    ['erc20', '12.34567800', 12_345_678n],
    ['erc20', '0.000001', 1n],
    ['erc20', '7', 7_000_000n],
    ['bep20', '1.234567', 1_234_567_000_000_000_000n],
  ] as const)('on %s: %s is %d', (network, amount, units) => expect(toUnits(usdt(network), amount)).toBe(units));

  it.each([
    ['erc20', '0.0000001'],
    ['erc20', '-1'],
    ['erc20', '1e3'],
    ['erc20', ''],
    ['erc20', '0x10'],
    ['erc20', '1.'],
  ] as const)('on %s: %j has none', (network, amount) =>
    expect(() => toUnits(usdt(network), amount)).toThrow(RangeError),
  );

  it('are not negative', () => expect(() => toLedgerAmount(usdt('erc20'), -1n)).toThrow(RangeError));

  it.each(['erc20', 'bep20', 'polygon'] as const)('on %s come back as they were', (network) => {
    for (const micro of [1n, 999_999n, 10n ** 12n + 7n]) {
      const units = micro * 10n ** BigInt(usdt(network).decimals - 6);
      const { amount, rest } = toLedgerAmount(usdt(network), units);
      expect([toUnits(usdt(network), amount), rest]).toEqual([units, 0n]);
    }
  });
});
