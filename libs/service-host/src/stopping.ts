/**
 * How a process ends, whatever it is doing: reports that it is not ready → waits for load balancers to notice (the
 * lead) → stops accepting → finishes what is under way → closes consumers, pools and the bus. The last three are the
 * application's `close`. A process asked to end while it starts closes what there is to close, or ends at once; asked
 * again, it goes on ending. After STOP_MS it ends without what hangs.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Operations } from './operations/operations.module';

/** Counted from the end of the lead. The launcher waits a little longer before it kills the process. */
const STOP_MS = 12_000;

export interface Closing {
  /** Stops accepting, finishes what is under way, closes. */
  close(): Promise<void>;
  /** How long it goes on accepting while it says that it drains. */
  leadMs: number;
}

/** Ends the process; a test replaces it. */
export interface Ending {
  exit(code: number): void;
  say(words: string): void;
}

const PROCESS: Ending = {
  exit: (code) => process.exit(code),
  say: (words) => new Logger('Process').error(words),
};

export class Stopping {
  private readonly log = new Logger('Process');
  private closing: Closing | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly name: string,
    private readonly operations: Operations,
    private readonly ending: Ending = PROCESS,
    private readonly stopMs = STOP_MS,
  ) {}

  /**
   * SIGTERM, and a launcher that is gone, end the process; so does Ctrl-C, unless a launcher will stop the services in
   * its own order.
   */
  listen(): void {
    process.on('SIGTERM', () => void this.stop());
    process.on('SIGINT', () => void (process.send ? undefined : this.stop()));
    process.on('disconnect', () => void this.stop());
  }

  /** Sets what is to be closed at the end. */
  closes(closing: Closing): void {
    this.closing = closing;
  }

  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  private async end(): Promise<void> {
    this.log.log('stopping');
    this.operations.readiness.drain();
    // The process has accepted nothing yet and holds nothing that another process waits for.
    if (!this.closing) {
      this.ending.exit(0);
      return;
    }
    await delay(this.closing.leadMs);
    const late = setTimeout(() => {
      this.ending.say(`${this.name} did not stop within ${this.stopMs / 1000} s: ending it`);
      this.ending.exit(1);
    }, this.stopMs);
    try {
      await this.closing.close();
      await this.operations.server.close();
      this.log.log('stopped');
      this.ending.exit(0);
    } catch (error) {
      this.ending.say(`${this.name} stopped with an error: ${(error as Error).stack}`);
      this.ending.exit(1);
    } finally {
      clearTimeout(late);
    }
  }
}
