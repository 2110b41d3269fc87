import { Network } from '@stablecoin/money/currency';

const PAUSE_MS_MIN = 500;
/** While nothing is known of how long the network takes. */
const PAUSE_MS_MAX = 10_000;
/** While its end is not expected yet. */
const PAUSE_UNTIL_EXPECTED_MS_MAX = 60_000;
const PAUSE_PAST_EXPECTED_MS_MAX = 30_000;
/** Past what is expected: the ends on one network lie around the average, and most of them before this. */
const PAST_EXPECTED_MS = 500;
/** Of the age: an end is seen that much later at the most, and a slow chain costs few questions. */
const SHARE_OF_AGE = 1 / 4;
const SHARE_PAST_EXPECTED = 1 / 8;
/** Of the newest in the average. */
const WEIGHT = 1 / 8;

/**
 * When a transfer that is under way is asked about next. Only its end matters: from the order to there it takes seconds on
 * one network and a quarter of an hour on another, as long as the ones before it took, on the average. That is kept in
 * memory, as it only decides when to ask.
 */
export class NextLook {
  private readonly averageMs = new Map<Network, number>();

  /** One has ended. */
  learn(network: Network, orderedAt: Date, endedAt: Date): void {
    const tookMs = Math.max(0, endedAt.getTime() - orderedAt.getTime());
    const before = this.averageMs.get(network) ?? tookMs;
    this.averageMs.set(network, before + (tookMs - before) * WEIGHT);
  }

  after(network: Network, orderedAt: Date, now = Date.now()): Date {
    const age = Math.max(0, now - orderedAt.getTime());
    return new Date(now + pauseMs(age, this.averageMs.get(network)));
  }
}

function pauseMs(age: number, expected: number | undefined): number {
  if (expected === undefined) return within(age * SHARE_OF_AGE, PAUSE_MS_MAX);
  const due = expected + PAST_EXPECTED_MS;
  if (age < due) return within(due - age, PAUSE_UNTIL_EXPECTED_MS_MAX);
  return within(age * SHARE_PAST_EXPECTED, PAUSE_PAST_EXPECTED_MS_MAX);
}

const within = (ms: number, most: number): number => Math.min(Math.max(ms, PAUSE_MS_MIN), most);
