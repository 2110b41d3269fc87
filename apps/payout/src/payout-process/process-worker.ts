/**
 * Drives payouts, waits and deposit confirmations to their ends: takes those that are due and runs one step of each, side by
 * side.
 *
 * | phase | reads                                | writes                                | bounded by                 |
 * |-------|--------------------------------------|---------------------------------------|----------------------------|
 * | room  | the steps under way, of each kind    | nothing; a lane that is more than     | UNDER_WAY_MAX of the lane  |
 * |       | and lane                             | half full is left out                 |                            |
 * | due   | when the first row of each kind and  | nothing; a lane in which nothing is   | one question               |
 * |       | lane is due                          | due is left out                       |                            |
 * | take  | rows that are due, except those that | the lease; an accepted payout becomes | UNDER_WAY_MAX less those   |
 * |       | another instance is taking           | `submitting`                          | under way; LEASE_MS        |
 * | step  | the row, the rail                    | the rail, the ledger, the row         | REQUEST_DEADLINE_MS        |
 * | retry | the error, the attempts so far       | when the row is due again             | RETRY_MS_MAX; with many    |
 * |       |                                      |                                       | HELD_UP_RETRY_MS_MAX       |
 * | sleep | (what `due` has found, in lanes that | nothing; `wake` and a lane that has   | SLEEP_MS_MIN, SLEEP_MS_MAX |
 * |       | have room)                           | room again end it                     |                            |
 *
 * New steps and those that failed before have lanes of their own (due-lane.ts): however many payouts are held up, the new
 * ones are taken as if there were none. The worker sleeps only when nothing was due. It does not wait for a slow step,
 * which only takes up room. It retries a failed step for ever, because the payout's money is held until it is resolved.
 * While another service is away the pauses are short (OUTAGE_RETRY_MS_MAX); they grow with the number of steps that are
 * held up (RetryBackoff).
 */
import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { freshRequestContext, REQUEST_DEADLINE_MS, withRequestContext } from '@stablecoin/messaging/request-context';
import { DepositConfirmations, DueDeposit } from './deposit-confirmations';
import { DueClock, DueKind, DueTimes } from './due-clock';
import { DUE_LANES, DueLane } from './due-lane';
import { observedStep } from './observed-step';
import { PayoutRow } from './payout-row';
import { PayoutStore } from './payout-store';
import { PayoutWaits, WaitingPayout } from './payout-waits';
import { PayoutSteps } from './payout-steps';
import { RetryBackoff } from './retry-backoff';

/** Steps of one kind and lane that run at the same time, at most. */
const UNDER_WAY_MAX: Readonly<Record<DueLane, number>> = { fresh: 200, retried: 80 };
const SLEEP_MS_MAX = 500;
const SLEEP_MS_MIN = 10;
/** How long a row stays with the worker that took it: longer than a step can wait, so it ends only after a crash. */
const LEASE_MS = REQUEST_DEADLINE_MS + 1_000;
const FIRST_RETRY_MS = 250;
const RETRY_MS_MAX = 10_000;
/** While one of our services is away: short, so that steps go on soon after it is back. Many steps wait for longer. */
const OUTAGE_RETRY_MS_MAX = 1_000;
/** The longest pause where very many steps are held up. */
const HELD_UP_RETRY_MS_MAX = 30_000;

/** One kind of work that falls due. */
interface DueWork<Item extends { id: string; attempts: number }> {
  readonly kind: DueKind;
  readonly underWay: Readonly<Record<DueLane, Set<Promise<void>>>>;
  readonly backoff: RetryBackoff;
  takeDue(lane: DueLane, limit: number, leaseMs: number): Promise<Item[]>;
  step(item: Item): Promise<void>;
  tryAgain(id: string, afterMs: number): Promise<void>;
}

@Injectable()
export class ProcessWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ProcessWorker.name);
  private readonly payouts: DueWork<PayoutRow>;
  private readonly confirmations: DueWork<DueDeposit>;
  private readonly waits: DueWork<WaitingPayout>;
  private readonly loop = new BackgroundLoop({
    pass: async () => {
      const due = await this.clock.read();
      const begun = DUE_LANES.flatMap((lane) => [
        this.begin(this.payouts, lane, due),
        this.begin(this.confirmations, lane, due),
        this.begin(this.waits, lane, due),
      ]);
      return (await Promise.all(begun)).some(Boolean) ? 0 : this.untilDueMs(due);
    },
    failed: (error) => {
      this.log.error({ msg: 'could not look for due work', err: error });
      return SLEEP_MS_MAX;
    },
  });

  constructor(
    private readonly clock: DueClock,
    books: PayoutStore,
    deposits: DepositConfirmations,
    waits: PayoutWaits,
    steps: PayoutSteps,
  ) {
    this.confirmations = {
      ...noneUnderWay('confirmations'),
      takeDue: (lane, limit, leaseMs) => deposits.takeDue(lane, limit, leaseMs),
      step: (deposit) => deposits.step(deposit),
      tryAgain: (id, afterMs) => deposits.tryAgain(id, afterMs),
    };
    this.waits = {
      ...noneUnderWay('waits'),
      takeDue: (lane, limit, leaseMs) => waits.takeDue(lane, limit, leaseMs),
      step: (waiting) => waits.step(waiting),
      tryAgain: (id, afterMs) => waits.tryAgain(id, afterMs),
    };
    this.payouts = {
      ...noneUnderWay('payouts'),
      takeDue: (lane, limit, leaseMs) => books.takeDue(lane, limit, leaseMs),
      step: (payout) => observedStep(payout, books.acceptedIn.of(payout.id), () => steps.step(payout)),
      tryAgain: (id, afterMs) => books.tryAgain(id, afterMs),
    };
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    const underWay = DUE_LANES.flatMap((lane) => [
      ...this.payouts.underWay[lane],
      ...this.confirmations.underWay[lane],
      ...this.waits.underWay[lane],
    ]);
    await Promise.all(underWay);
  }

  wake(): void {
    this.loop.wake();
  }

  /** Begins the steps of a lane that are due, where it has room. */
  private async begin<Item extends { id: string; attempts: number }>(
    work: DueWork<Item>,
    lane: DueLane,
    due: DueTimes,
  ): Promise<boolean> {
    if (!hasRoom(work, lane) || dueInMs(work, lane, due) > 0) return false;
    const underWay = work.underWay[lane];
    const items = await work.takeDue(lane, UNDER_WAY_MAX[lane] - underWay.size, LEASE_MS);
    for (const item of items) {
      const attempt = this.attempt(work, item).finally(() => {
        const hadRoom = hasRoom(work, lane);
        underWay.delete(attempt);
        if (!hadRoom && hasRoom(work, lane)) this.wake();
      });
      underWay.add(attempt);
    }
    return items.length > 0;
  }

  private async attempt<Item extends { id: string; attempts: number }>(work: DueWork<Item>, item: Item): Promise<void> {
    const context = freshRequestContext();
    const startedAt = performance.now();
    try {
      await withRequestContext(context, () => work.step(item));
    } catch (error) {
      const outage = error instanceof Refusal && error.code === 'unavailable';
      const now = performance.now();
      const ownPauseMs = pauseMs(item, outage ? OUTAGE_RETRY_MS_MAX : RETRY_MS_MAX);
      const afterMs = Math.max(ownPauseMs, work.backoff.nextInMs(now - startedAt, now));
      const line = { msg: `${item.id}: trying again in ${afterMs} ms`, err: error };
      // Under the request id by which the ledger logs its refusal of this step.
      withRequestContext(context, () => this.log[outage ? 'warn' : 'error'](line));
      // If this fails too, the row is due again when its lease ends.
      await work.tryAgain(item.id, afterMs).catch(() => undefined);
    }
  }

  private untilDueMs(due: DueTimes): number {
    const found = DUE_LANES.flatMap((lane) =>
      [this.payouts, this.confirmations, this.waits]
        .filter((work) => hasRoom(work, lane))
        .map((work) => dueInMs(work, lane, due)),
    );
    return Math.max(SLEEP_MS_MIN, Math.min(SLEEP_MS_MAX, ...found));
  }
}

const noneUnderWay = (kind: DueKind) => ({
  kind,
  underWay: { fresh: new Set<Promise<void>>(), retried: new Set<Promise<void>>() },
  backoff: new RetryBackoff(HELD_UP_RETRY_MS_MAX),
});

/** Half of it, so that rows are taken by the hundred and not one by one. */
const hasRoom = ({ underWay }: Pick<DueWork<never>, 'underWay'>, lane: DueLane): boolean =>
  underWay[lane].size <= UNDER_WAY_MAX[lane] / 2;

const dueInMs = ({ kind }: Pick<DueWork<never>, 'kind'>, lane: DueLane, due: DueTimes): number =>
  due[`${kind}_${lane}`] ?? Infinity;

const pauseMs = ({ attempts }: { attempts: number }, maxMs: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 10), maxMs);
