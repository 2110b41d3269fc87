import { Drawing } from '@stablecoin/testing/drawing';
import { strikeSequence, toldStrike } from './strikes';

const told = (count: number, databases: number, seed = 1) =>
  strikeSequence(count, databases, new Drawing(seed)).map(toldStrike);

it('begins with one strike on each part, and has every kind before any comes again', () => {
  const first = told(4, 3);
  for (const part of ['mover', 'owner', "source's Postgres", "target's Postgres"])
    expect(first.some((one) => one.includes(part))).toBe(true);
  const all = told(22, 3);
  expect(new Set(all).size).toBe(22);
  expect(new Set(told(44, 3)).size).toBe(22);
});

it('strikes a third database only where there is one', () => {
  const third = "another shard's Postgres stopped at once, any moment";
  expect(told(22, 3)).toContain(third);
  expect(told(60, 2)).not.toContain(third);
});

it('is the same for the same seed, and another for another', () => {
  expect(told(22, 2, 7)).toEqual(told(22, 2, 7));
  expect(told(22, 2, 7)).not.toEqual(told(22, 2, 8));
});
