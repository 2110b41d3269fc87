import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** The middle of the values, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Linear between the two nearest ranks. @param rank 0 to 100 */
export function percentile(values: readonly number[], rank: number): number {
  if (values.length === 0) throw new Error('no values were measured');
  const sorted = [...values].sort((one, other) => one - other);
  const index = ((sorted.length - 1) * rank) / 100;
  const below = sorted[Math.floor(index)] as number;
  const above = sorted[Math.ceil(index)] as number;
  return below + (above - below) * (index - Math.floor(index));
}

export interface Load {
  /** How many are under way at any time. */
  inFlight: number;
  seconds: number;
  /** One unit of work; `number` counts from 0. */
  work: (number: number) => Promise<unknown>;
}

export interface Sustained {
  perSecond: number;
  finished: number;
}

/** Keeps `inFlight` units of work under way until the time is over, and waits for those it began. */
export async function sustained({ inFlight, seconds, work }: Load): Promise<Sustained> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  let started = 0;
  let finished = 0;
  const one = async () => {
    while (performance.now() < endsAt) {
      started += 1;
      await work(started - 1);
      finished += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, one));
  return { perSecond: (finished * 1_000) / (performance.now() - startedAt), finished };
}

/** Begins each piece of work when it is due, whether or not those before it are done, and waits for all. */
export async function paced(work: (due: number) => Promise<void>, perSecond: number, seconds: number): Promise<void> {
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const due = startedAt + (number * 1_000) / perSecond;
    const wait = due - performance.now();
    if (wait > 1) await delay(wait);
    running.push(work(due));
  }
  await Promise.all(running);
}

/** How long `work` takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
