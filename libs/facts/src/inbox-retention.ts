import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { purgeInbox } from '@stablecoin/persistence/inbox';
import { FactHandler, isOutage } from './fact-handler';

const EVERY_MS = 60_000;
const BATCH = 1_000;
const BATCHES_MAX = 50;

/**
 * Forgets inbox rows after their time, once a minute, in batches, at most BATCHES_MAX of them. The stream keeps facts for a
 * week, so a broker brings nothing again that is older; a stream that is filled anew from the beginning of the log
 * does, and then handlers recognise by what they have written what they have had (fact-handler.ts).
 */
export class InboxRetention {
  private readonly log = new Logger(InboxRetention.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly handlers: readonly FactHandler[],
    private readonly days: number,
  ) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  async purge(): Promise<void> {
    for (const { database, durable, keepsInbox } of this.handlers) {
      for (let batch = 0; keepsInbox && batch < BATCHES_MAX && !this.stopping.signal.aborted; batch += 1) {
        if ((await purgeInbox(database, durable, this.days, BATCH)) < BATCH) break;
      }
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
      await this.purge().catch((error: unknown) => this.tell(error));
    }
  }

  private tell(error: unknown): void {
    if (!isOutage(error)) this.log.error({ msg: 'could not forget old inbox rows', err: error });
  }
}
