import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { DepositConfirmations } from './deposit-confirmations';
import { PayoutBooks } from './payout-books';
import { PayoutSteps } from './payout-steps';

const MAX_BATCH = 20;
const MAX_SLEEP_MS = 500;
const MIN_SLEEP_MS = 10;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;

/** One kind of work that falls due. */
interface DueWork<Item extends { id: string; attempts: number }> {
  takeDue(limit: number): Promise<Item[]>;
  step(item: Item): Promise<void>;
  tryAgain(id: string, afterMs: number): Promise<void>;
}

/**
 * Drives payouts and deposit confirmations on: take what is due (at most MAX_BATCH, skipping what another instance has)
 * → make one step of each → again, until nothing is due → sleep until something will be, at most MAX_SLEEP_MS, or until
 * woken. A step that fails is tried again with growing pauses, for ever: money is held until it is resolved.
 */
@Injectable()
export class ProcessWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ProcessWorker.name);
  private readonly payouts: DueWork<Awaited<ReturnType<PayoutBooks['takeDue']>>[number]>;
  private stopped = false;
  private woken = false;
  private endSleep: () => void = () => undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly books: PayoutBooks,
    private readonly deposits: DepositConfirmations,
    steps: PayoutSteps,
  ) {
    this.payouts = {
      takeDue: (limit) => books.takeDue(limit),
      step: (payout) => steps.step(payout),
      tryAgain: (id, afterMs) => books.tryAgain(id, afterMs),
    };
  }

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  wake(): void {
    this.woken = true;
    this.endSleep();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      this.woken = false;
      try {
        const worked = (await Promise.all([this.workOff(this.payouts), this.workOff(this.deposits)])).some(Boolean);
        if (!worked && !this.stopped) await this.sleep(await this.untilDueMs());
      } catch (error) {
        this.log.error({ msg: 'could not look for due work', err: error });
        await this.sleep(MAX_SLEEP_MS);
      }
    }
  }

  private async workOff<Item extends { id: string; attempts: number }>(work: DueWork<Item>): Promise<boolean> {
    const items = await work.takeDue(MAX_BATCH);
    await Promise.all(items.map((item) => this.attempt(work, item)));
    return items.length > 0;
  }

  private async attempt<Item extends { id: string; attempts: number }>(work: DueWork<Item>, item: Item): Promise<void> {
    try {
      await withRequestContext(freshRequestContext(), () => work.step(item));
    } catch (error) {
      const afterMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(item.attempts, 10), MAX_RETRY_MS);
      const outage = error instanceof Refusal && error.code === 'unavailable';
      this.log[outage ? 'warn' : 'error']({ msg: `${item.id}: trying again in ${afterMs} ms`, err: error });
      // When this fails too, the lease ends by itself.
      await work.tryAgain(item.id, afterMs).catch(() => undefined);
    }
  }

  private async untilDueMs(): Promise<number> {
    const due = await Promise.all([this.books.nextDueInMs(), this.deposits.nextDueInMs()]);
    return Math.max(MIN_SLEEP_MS, Math.min(MAX_SLEEP_MS, ...due.filter((ms) => ms !== undefined)));
  }

  private sleep(milliseconds: number): Promise<void> {
    if (this.woken || this.stopped) return Promise.resolve();
    return new Promise((done) => {
      const timer = setTimeout(done, milliseconds);
      this.endSleep = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
