import { sandboxRailReference } from './rail-references';

describe('the sandbox rail’s own reference', () => {
  it.each([
    [null, /^SBX[0-9A-F]{16}$/],
    ['erc20', /^0x[0-9a-f]{64}$/],
    ['trc20', /^[0-9a-f]{64}$/],
    ['solana', /^[1-9A-HJ-NP-Za-km-z]{86,88}$/],
  ] as const)('on %s refers to a payout always alike, and to another one otherwise', (network, pattern) => {
    expect(sandboxRailReference('a', network)).toMatch(pattern);
    expect(sandboxRailReference('a', network)).toBe(sandboxRailReference('a', network));
    expect(sandboxRailReference('a', network)).not.toBe(sandboxRailReference('b', network));
  });
});
