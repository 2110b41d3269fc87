import { decideSweep, decideToCold, HotCase, RETRY_AFTER_MS, SweepCase } from './decide-treasury';

const [HOT, COLD, ADDRESS] = ['0x01', '0x02', '0x03'] as const;

const SWEEP: SweepCase = {
  ...{ network: 'bep20', address: ADDRESS, index: 7, currency: 'USDT' },
  ...{ units: 101n, threshold: 100n, coins: 50n, fee: 50n },
  ...{ openSweep: undefined, isGasOpen: false, sweepsEnded: 0, gasEnded: 0, failedMsAgo: undefined },
};
const decided = (changed: Partial<SweepCase>) => decideSweep({ ...SWEEP, ...changed }, HOT);

const sweep = (nth = 0) => ({
  ...{ reference: `sweep:bep20:USDT:7:${nth}`, network: 'bep20', kind: 'sweep', from: { kind: 'deposit', index: 7 } },
  ...{ fromAddress: ADDRESS, toAddress: HOT, currency: 'USDT', units: 101n },
});
const gas = (units: bigint, nth = 0) => ({
  ...{ reference: `gas:bep20:7:${nth}`, network: 'bep20', kind: 'gas', from: { kind: 'hot' }, fromAddress: HOT },
  ...{ toIndex: 7, toAddress: ADDRESS, currency: null, units },
});

describe('a deposit address', () => {
  it.each<[string, Partial<SweepCase>, object | undefined]>([
    ['with more than the threshold and the coins for its fee is swept whole', {}, sweep()],
    ['with exactly the threshold is left alone', { units: 100n }, undefined],
    ['with dust is left alone, whatever coins it has', { units: 1n, coins: 10n ** 18n }, undefined],
    ['without coins is given the fee', { coins: 0n }, gas(50n)],
    ['with some coins is given what is missing', { coins: 49n }, gas(1n)],
    ['below the threshold is given none', { coins: 0n, units: 100n }, undefined],
    ['waits for the coins that are on their way to it', { isGasOpen: true, coins: 0n }, undefined],
    ['waits for them although it has coins by now: they are not final', { isGasOpen: true }, undefined],
    ['waits for the sweep that is under way', { openSweep: { heldBy: null } }, undefined],
    ['waits while its sweep is held', { openSweep: { heldBy: 'token_paused' }, coins: 0n }, undefined],
    ['whose sweep is held for want of coins is given more', { openSweep: { heldBy: 'gas' }, coins: 20n }, gas(30n)],
    ['whose sweep is held and that has them by now waits', { openSweep: { heldBy: 'gas' } }, undefined],
    ['whose sweep has just failed waits', { failedMsAgo: RETRY_AFTER_MS - 1 }, undefined],
    ['is swept again a while after one failed', { failedMsAgo: RETRY_AFTER_MS, sweepsEnded: 1 }, sweep(1)],
    ['is named by what has ended before', { sweepsEnded: 3, coins: 0n, gasEnded: 2 }, gas(50n, 2)],
  ])('%s', (_, changed, expected) => expect(decided(changed)).toEqual(expected));
});

const HELD: HotCase = {
  ...{ network: 'erc20', currency: 'USDC', units: 1_001n, leaving: 0n, limits: { maximum: 1_000n, target: 400n } },
  ...{ isToColdOpen: false, toColdEnded: 0, failedMsAgo: undefined },
};

describe('the hot wallet', () => {
  const toCold = (units: bigint, nth = 0) => ({
    ...{ reference: `to-cold:erc20:USDC:${nth}`, network: 'erc20', kind: 'to-cold', from: { kind: 'hot' } },
    ...{ fromAddress: HOT, toAddress: COLD, currency: 'USDC', units },
  });

  it.each<[string, Partial<HotCase>, object | undefined]>([
    ['above its maximum keeps its target', {}, toCold(601n)],
    ['at its maximum keeps everything', { units: 1_000n }, undefined],
    ['does not count what payees wait for', { units: 1_500n, leaving: 500n }, undefined],
    ['keeps its target beside what payees wait for', { units: 2_000n, leaving: 500n }, toCold(1_100n)],
    ['with more promised than it has keeps everything', { leaving: 5_000n }, undefined],
    ['without a maximum keeps everything', { limits: undefined }, undefined],
    ['waits for the transfer that is under way', { isToColdOpen: true }, undefined],
    ['waits after one has failed', { failedMsAgo: 0 }, undefined],
    ['names the next one by those before', { toColdEnded: 4 }, toCold(601n, 4)],
  ])('%s', (_, changed, expected) => expect(decideToCold({ ...HELD, ...changed }, HOT, COLD)).toEqual(expected));

  it('keeps everything where there is no cold address', () =>
    expect(decideToCold(HELD, HOT, undefined)).toBeUndefined());
});
