import type { EvmNetwork } from '@stablecoin/chains/chains';
import { depositSender, HOT, payout, POLICY, requestOf, SWEEP } from '../testing/requests';
import { RollingDay } from './rolling-day';
import { SigningMemory } from './signing-memory';
import { decideSigning } from './signing-rules';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('sums of a day', () => {
  it('leave a minute out when all of it is a day old, and never before', () => {
    const day = new RollingDay<'a' | 'b'>();
    day.add('a', 5n, 90_000);
    day.add('a', 7n, 119_999);
    day.add('b', 1n, 119_999);
    expect(day.sum('a', 90_000 + DAY)).toBe(12n);
    expect(day.sum('a', 119_999 + DAY)).toBe(12n);
    expect(day.sum('a', 120_000 + DAY)).toBe(0n);
    expect(day.sum('b', 119_999)).toBe(1n);
  });

  it('keep a minute as one number, and of a day only its minutes', () => {
    const day = new RollingDay<'a'>();
    for (let at = 0; at < 3 * DAY; at += 10_000) day.add('a', 1n, at);
    expect(day.sum('a', 3 * DAY)).toBe(BigInt(DAY / 10_000));
    const kept = (day as unknown as { minutes: Map<string, Map<number, bigint>> }).minutes.get('a');
    expect(kept?.size).toBeLessThanOrEqual(1_441);
  });
});

describe('the memory of what was signed', () => {
  const signed = (nonce: number, index?: number, network: EvmNetwork = 'erc20') => {
    const sender =
      index === undefined ? { movement: payout({ units: '1' }) } : { from: depositSender(index), movement: SWEEP };
    const changes = { ...sender, network };
    const fees = new Map([[network, { perTransaction: 10n ** 20n, perDay: 10n ** 30n }]]);
    const caps = { ...POLICY.caps, fees };
    const decision = decideSigning(requestOf({ ...changes, nonce }), { ...POLICY, caps }, new SigningMemory(), 0);
    if (!('sign' in decision)) throw new Error(JSON.stringify(decision));
    return { ...decision.sign, signature: { r: '0x1', s: '0x2', yParity: 1 } as const };
  };

  it('holds the latest of so many payments, and of the older ones only that they are there', () => {
    const memory = new SigningMemory(2);
    for (const nonce of [4, 5, 6]) memory.remember(signed(nonce));
    expect(memory.signedUnder('erc20', HOT, 4)).toBeUndefined();
    expect([3, 4, 5].map((nonce) => memory.isClosed('erc20', HOT, nonce))).toEqual([true, true, false]);
    expect(memory.signedUnder('erc20', HOT, 5)?.terms.nonce).toBe(5);
    expect(memory.isClosed('bep20', HOT, 4)).toBe(false);
  });

  it('keeps a payment that is replaced longer than one that is not', () => {
    const memory = new SigningMemory(2);
    for (const nonce of [1, 2, 1, 3]) memory.remember(signed(nonce));
    expect(memory.signedUnder('erc20', HOT, 1)).toBeDefined();
    expect(memory.signedUnder('erc20', HOT, 2)).toBeUndefined();
  });

  it('of one network is not pushed out by what another signs', () => {
    const memory = new SigningMemory(1);
    memory.remember(signed(0));
    for (const nonce of [0, 1, 2]) memory.remember(signed(nonce, 7, 'polygon'));
    expect(memory.signedUnder('erc20', HOT, 0)).toBeDefined();
    expect(memory.signedUnder('polygon', 7, 1)).toBeUndefined();
  });

  it('closes nonces address by address', () => {
    const memory = new SigningMemory(1);
    memory.remember(signed(0, 7));
    memory.remember(signed(9, 8));
    memory.remember(signed(0));
    expect(memory.isClosed('erc20', 7, 0)).toBe(true);
    expect(memory.isClosed('erc20', 7, 1)).toBe(false);
    expect(memory.isClosed('erc20', 8, 9)).toBe(true);
    expect(memory.isClosed('erc20', 9, 0)).toBe(false);
  });
});
