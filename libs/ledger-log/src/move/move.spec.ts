import { setTimeout as delay } from 'node:timers/promises';
import { paced } from './move';

const PART_MS = 60;
/** A timer of Node may end this much early by the clock that measures it. */
const EARLY_MS = 2;

it('rests as long as a part of the copy took', async () => {
  const began = performance.now();
  const result = await paced(async () => {
    await delay(PART_MS);
    return 7;
  });
  expect(result).toBe(7);
  expect(performance.now() - began).toBeGreaterThanOrEqual(2 * (PART_MS - EARLY_MS));
});
