import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { FactProcessor } from './fact-processor';
import { isOutage } from './fact-handler';

const EVERY_MS = 1_000;

/**
 * Looks once a second whether an operator wants parked facts tried again. The command line only says so in the database:
 * what handles them is the service, with its own configuration, in whichever instance is first.
 */
export class FactRetries {
  private readonly log = new Logger(FactRetries.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly desks: readonly FactProcessor[]) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      for (const desk of this.desks) await this.retry(desk);
      await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async retry(desk: FactProcessor): Promise<void> {
    try {
      await desk.retryRequested();
    } catch (error) {
      // A database that is away is told of by everybody else; what was asked for stays asked for.
      if (!isOutage(error)) this.log.error({ msg: `could not retry the parked facts of ${desk.durable}`, err: error });
    }
  }
}
