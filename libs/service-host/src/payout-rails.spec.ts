import { Network, NETWORKS } from '@stablecoin/money/currency';
import { isEvmRailForTest, PayoutRailSettings, railFor } from './payout-rails';

const SANDBOX: PayoutRailSettings = {
  payoutRailErc20: 'sandbox',
  payoutRailBep20: 'sandbox',
  payoutRailPolygon: 'sandbox',
  evmRailForTest: false,
  sandboxRailForLive: false,
};
const [live, test] = [{ isLive: true }, { isLive: false }];

describe('the rail of a payout', () => {
  it.each<[string, Partial<PayoutRailSettings>, Network | null, [live: string | null, test: string | null]]>([
    ['a bank', {}, null, [null, 'sandbox']],
    ['a bank, for demonstrations', { sandboxRailForLive: true }, null, ['sandbox', 'sandbox']],
    ['a network without a chain', {}, 'erc20', [null, 'sandbox']],
    ['a chain', { payoutRailErc20: 'evm' }, 'erc20', ['evm', 'sandbox']],
    [
      'a chain beside demonstrations',
      { payoutRailErc20: 'evm', sandboxRailForLive: true },
      'erc20',
      ['evm', 'sandbox'],
    ],
    [
      'a chain whose coins are worth nothing',
      { payoutRailBep20: 'evm', evmRailForTest: true },
      'bep20',
      ['evm', 'evm'],
    ],
    ['a network beside a chain', { payoutRailBep20: 'evm', evmRailForTest: true }, 'polygon', [null, 'sandbox']],
    ['Tron beside chains', { payoutRailErc20: 'evm', evmRailForTest: true }, 'trc20', [null, 'sandbox']],
  ])('to %s', (_name, changes, network, expected) => {
    const settings = { ...SANDBOX, ...changes };
    expect([live, test].map((merchant) => railFor(settings, { network, ...merchant }))).toEqual(expected);
  });

  it('may be a chain for a test merchant only where both are said', () => {
    expect(isEvmRailForTest({ ...SANDBOX, evmRailForTest: true })).toBe(false);
    expect(isEvmRailForTest({ ...SANDBOX, payoutRailPolygon: 'evm' })).toBe(false);
    expect(isEvmRailForTest({ ...SANDBOX, evmRailForTest: true, payoutRailPolygon: 'evm' })).toBe(true);
    expect(
      NETWORKS.filter((network) => railFor({ ...SANDBOX, evmRailForTest: true }, { network, ...test }) === 'evm'),
    ).toEqual([]);
  });
});
