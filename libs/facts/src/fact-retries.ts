import { Logger } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { isOutage } from './fact-handler';
import { FactProcessor } from './fact-processor';

const EVERY_MS = 1_000;

/**
 * Looks once a second whether an operator has requested that parked facts are tried again. The operator's command only
 * records the request in the database; the service handles the facts, with its own configuration, in the instance that
 * is first.
 */
export class FactRetries {
  private readonly log = new Logger(FactRetries.name);
  private readonly loop = new BackgroundLoop({
    pass: async () => {
      for (const processor of this.processors) await this.retry(processor);
      return EVERY_MS;
    },
    failed: (error) => {
      this.log.error({ msg: 'could not retry parked facts', err: error });
      return EVERY_MS;
    },
  });

  constructor(private readonly processors: readonly FactProcessor[]) {}

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async retry(processor: FactProcessor): Promise<void> {
    try {
      await processor.retryRequested();
    } catch (error) {
      // The readiness check reports a database that is away; the request stays recorded.
      if (isOutage(error)) return;
      this.log.error({ msg: `could not retry the parked facts of ${processor.durable}`, err: error });
    }
  }
}
