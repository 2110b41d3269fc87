import { Drawing } from '@stablecoin/testing/drawing';
import { CONTROL, faultSequence, KILLS, OUTAGES } from './fault-sequence';

const of = (kills: number, seed = 1) => faultSequence(kills, new Drawing(seed));
const count = (sequence: readonly string[], fault: string) => sequence.filter((one) => one === fault).length;
const isKill = (fault: string) => (KILLS as readonly string[]).includes(fault);

describe('the sequence of faults', () => {
  it.each([9, 15, 300])('has %i kills when so many are asked for, of all kinds alike often', (kills) => {
    const made = of(kills).filter(isKill);
    expect(made).toHaveLength(kills);
    for (const kind of KILLS) expect(Math.abs(count(made, kind) - kills / KILLS.length)).toBeLessThan(1);
  });

  it('has each long outage once, pauses, and as often nothing at all, never two of these in a row in a long run', () => {
    const sequence = of(300);
    for (const outage of OUTAGES) expect(count(sequence, outage)).toBe(1);
    expect(count(sequence, CONTROL)).toBe(12);
    const others = sequence.map((fault) => !isKill(fault));
    expect(others.filter(Boolean)).toHaveLength(26);
    expect(others.some((one, index) => one && others[index + 1])).toBe(false);
  });

  it('is decided by the seed', () => {
    expect(of(50, 7)).toEqual(of(50, 7));
    expect(of(50, 7)).not.toEqual(of(50, 8));
  });

  it('is empty when nothing is asked for', () => expect(of(0)).toEqual([]));
});
