/**
 * Brings deposits to the ledger: takes those that are due and makes one step of each, side by side. A step that fails is
 * made again for ever, because the money is on the chain whether the ledger knows or not.
 */
import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { freshRequestContext, REQUEST_DEADLINE_MS, withRequestContext } from '@stablecoin/messaging/request-context';
import { initializeSeries, instruments } from '@stablecoin/telemetry/metrics/instruments';
import { DEPOSIT_STEPS, nextStep } from './deposit';
import { DepositRow } from './deposit-rows';
import { DepositSteps } from './deposit-steps';
import { DepositStore } from './deposit-store';

const UNDER_WAY_MAX = 100;
const SLEEP_MS_MAX = 500;
const SLEEP_MS_MIN = 10;
/** Longer than a step can wait: two questions at the most. It ends only after a crash. */
const LEASE_MS = 2 * REQUEST_DEADLINE_MS + 1_000;
const FIRST_RETRY_MS = 250;
const RETRY_MS_MAX = 10_000;

@Injectable()
export class DepositWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(DepositWorker.name);
  private readonly underWay = new Set<Promise<void>>();
  private readonly loop = new BackgroundLoop({
    pass: () => this.pass(),
    failed: (error) => {
      this.log.error({ msg: 'could not look for due deposits', err: error });
      return SLEEP_MS_MAX;
    },
  });

  constructor(
    private readonly store: DepositStore,
    private readonly steps: DepositSteps,
  ) {}

  onApplicationBootstrap(): void {
    initializeSeries('chain_deposit_steps_total', { step: DEPOSIT_STEPS, outcome: ['made', 'refused', 'failed'] });
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await Promise.all(this.underWay);
  }

  wake(): void {
    this.loop.wake();
  }

  private async pass(): Promise<number> {
    const room = UNDER_WAY_MAX - this.underWay.size;
    const taken = room === 0 ? [] : await this.store.takeDue(room, LEASE_MS);
    for (const deposit of taken) {
      const attempt = this.attempt(deposit).finally(() => {
        this.underWay.delete(attempt);
        this.wake();
      });
      this.underWay.add(attempt);
    }
    if (taken.length > 0) return 0;
    const dueInMs = room === 0 ? SLEEP_MS_MAX : await this.store.nextDueInMs();
    return Math.max(SLEEP_MS_MIN, Math.min(SLEEP_MS_MAX, dueInMs ?? SLEEP_MS_MAX));
  }

  private async attempt(deposit: DepositRow): Promise<void> {
    const context = freshRequestContext();
    const step = nextStep(deposit);
    try {
      const outcome = step ? await withRequestContext(context, () => this.steps.make(deposit, step)) : undefined;
      await this.store.finish(deposit, outcome);
      if (step)
        instruments.chain_deposit_steps_total.inc({
          step,
          outcome: outcome?.booked === 'unrecognised' ? 'refused' : 'made',
        });
    } catch (error) {
      if (step) instruments.chain_deposit_steps_total.inc({ step, outcome: 'failed' });
      const afterMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(deposit.attempts, 10), RETRY_MS_MAX);
      const isOutage = error instanceof Refusal && error.code === 'unavailable';
      const line = { msg: `deposit ${deposit.id}: trying again in ${afterMs} ms`, err: error };
      withRequestContext(context, () => this.log[isOutage ? 'warn' : 'error'](line));
      // If this fails too, the row is due again when its lease ends.
      await this.store.tryAgain(deposit.id, afterMs).catch(() => undefined);
    }
  }
}
