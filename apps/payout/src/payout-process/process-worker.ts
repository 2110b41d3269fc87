/**
 * Drives payouts and deposit confirmations to their ends: takes those that are due and runs one step of each, side by
 * side.
 *
 * | phase | reads                                | writes                                | bounded by                 |
 * |-------|--------------------------------------|---------------------------------------|----------------------------|
 * | room  | the steps under way, of each kind    | nothing; waits while they are too     | UNDER_WAY_MAX / 2          |
 * |       |                                      | many                                  |                            |
 * | take  | rows that are due, except those that | the lease; an accepted payout becomes | UNDER_WAY_MAX less those   |
 * |       | another instance is taking           | `submitting`                          | under way; LEASE_MS        |
 * | step  | the row, the rail                    | the rail, the ledger, the row         | REQUEST_DEADLINE_MS        |
 * | retry | the error, the attempts so far       | when the row is due again             | RETRY_MS_MAX; in an outage |
 * |       |                                      |                                       | OutageBackoff as well      |
 * | sleep | when the next row is due             | nothing; `wake` ends it               | SLEEP_MS_MIN, SLEEP_MS_MAX |
 *
 * The worker sleeps only when nothing was due. It does not wait for a slow step, which only takes up room. It retries a
 * failed step for ever, because the payout's money is held until it is resolved. While another service is away the
 * pauses are short (OUTAGE_RETRY_MS_MAX), but grow with the number of steps that the outage holds up.
 */
import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { freshRequestContext, REQUEST_DEADLINE_MS, withRequestContext } from '@stablecoin/messaging/request-context';
import { DepositConfirmations, DueDeposit } from './deposit-confirmations';
import { observedStep } from './observed-step';
import { OutageBackoff } from './outage-backoff';
import { PayoutStore, PayoutRow } from './payout-store';
import { PayoutSteps } from './payout-steps';

/** Steps of one kind that run at the same time, at most. */
const UNDER_WAY_MAX = 200;
const SLEEP_MS_MAX = 500;
const SLEEP_MS_MIN = 10;
/** How long a row stays with the worker that took it: longer than a step can wait, so it ends only after a crash. */
const LEASE_MS = REQUEST_DEADLINE_MS + 1_000;
const FIRST_RETRY_MS = 250;
const RETRY_MS_MAX = 10_000;
/** While one of our services is away: short, so that steps go on soon after it is back. Many steps wait for longer. */
const OUTAGE_RETRY_MS_MAX = 1_000;

/** One kind of work that falls due. */
interface DueWork<Item extends { id: string; attempts: number }> {
  readonly underWay: Set<Promise<void>>;
  readonly outageBackoff: OutageBackoff;
  takeDue(limit: number, leaseMs: number): Promise<Item[]>;
  step(item: Item): Promise<void>;
  tryAgain(id: string, afterMs: number): Promise<void>;
}

@Injectable()
export class ProcessWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ProcessWorker.name);
  private readonly payouts: DueWork<PayoutRow>;
  private readonly confirmations: DueWork<DueDeposit>;
  private readonly loop = new BackgroundLoop({
    pass: async () => {
      const found = (await Promise.all([this.begin(this.payouts), this.begin(this.confirmations)])).some(Boolean);
      return found ? 0 : this.untilDueMs();
    },
    failed: (error) => {
      this.log.error({ msg: 'could not look for due work', err: error });
      return SLEEP_MS_MAX;
    },
  });

  constructor(
    private readonly books: PayoutStore,
    private readonly deposits: DepositConfirmations,
    steps: PayoutSteps,
  ) {
    this.confirmations = {
      underWay: new Set(),
      outageBackoff: new OutageBackoff(RETRY_MS_MAX),
      takeDue: (limit, leaseMs) => deposits.takeDue(limit, leaseMs),
      step: (deposit) => deposits.step(deposit),
      tryAgain: (id, afterMs) => deposits.tryAgain(id, afterMs),
    };
    this.payouts = {
      underWay: new Set(),
      outageBackoff: new OutageBackoff(RETRY_MS_MAX),
      takeDue: (limit, leaseMs) => books.takeDue(limit, leaseMs),
      step: (payout) => observedStep(payout, books.acceptedIn.of(payout.id), () => steps.step(payout)),
      tryAgain: (id, afterMs) => books.tryAgain(id, afterMs),
    };
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await Promise.all([...this.payouts.underWay, ...this.confirmations.underWay]);
  }

  wake(): void {
    this.loop.wake();
  }

  /** Begins the steps that are due; waits only while there is no room. */
  private async begin<Item extends { id: string; attempts: number }>(work: DueWork<Item>): Promise<boolean> {
    const { underWay } = work;
    while (underWay.size > UNDER_WAY_MAX / 2) await Promise.race(underWay);
    const items = await work.takeDue(UNDER_WAY_MAX - underWay.size, LEASE_MS);
    for (const item of items) {
      const attempt = this.attempt(work, item).finally(() => underWay.delete(attempt));
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
      const afterMs = outage
        ? Math.max(pauseMs(item, OUTAGE_RETRY_MS_MAX), work.outageBackoff.nextInMs(now - startedAt, now))
        : pauseMs(item, RETRY_MS_MAX);
      const line = { msg: `${item.id}: trying again in ${afterMs} ms`, err: error };
      // Under the request id by which the ledger logs its refusal of this step.
      withRequestContext(context, () => this.log[outage ? 'warn' : 'error'](line));
      // If this fails too, the row is due again when its lease ends.
      await work.tryAgain(item.id, afterMs).catch(() => undefined);
    }
  }

  private async untilDueMs(): Promise<number> {
    const due = await Promise.all([this.books.nextDueInMs(), this.deposits.nextDueInMs()]);
    return Math.max(SLEEP_MS_MIN, Math.min(SLEEP_MS_MAX, ...due.filter((ms) => ms !== undefined)));
  }
}

const pauseMs = ({ attempts }: { attempts: number }, maxMs: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 10), maxMs);
