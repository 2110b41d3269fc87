import { Logger } from '@nestjs/common';
import { deleteInBatches, retentionLoop } from '@stablecoin/background-work/retention';
import { purgeInbox } from '@stablecoin/persistence/inbox';
import { FactHandler, isOutage } from './fact-handler';

/**
 * Deletes inbox rows after their retention. The stream keeps facts for a week, so the broker delivers no older fact again.
 * A stream that is filled anew from the beginning of the log does deliver them: handlers recognise those by the rows that
 * they have written (fact-handler.ts).
 */
export class InboxRetention {
  private readonly log = new Logger(InboxRetention.name);
  private readonly loop = retentionLoop(
    (signal) => this.purge(signal),
    (error) => {
      if (!isOutage(error)) this.log.error({ msg: 'could not forget old inbox rows', err: error });
    },
  );

  constructor(
    private readonly handlers: readonly FactHandler[],
    private readonly days: number,
  ) {}

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  async purge(signal?: AbortSignal): Promise<void> {
    for (const { database, durable, keepsInbox } of this.handlers) {
      if (keepsInbox) await deleteInBatches((limit) => purgeInbox(database, durable, this.days, limit), signal);
    }
  }
}
