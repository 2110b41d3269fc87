import { WakeablePause } from './wakeable-pause';

export interface BackgroundWork {
  /** One pass over the work. Resolves to the pause before the next pass, in milliseconds; 0 begins it at once. */
  pass(signal: AbortSignal): Promise<number>;
  /** Reports the error of a pass. Returns the pause before the next one, in milliseconds. */
  failed(error: unknown): number;
  /** The pause before the first pass, in milliseconds: 0 unless given. */
  firstPauseMs?: number;
  /** How long a wake waits for further ones, which share its pass, in milliseconds: 0 unless given. */
  gatherMs?: number;
}

/**
 * Work that a process does beside its requests, pass after pass, until it is stopped. A pass that fails is reported and
 * the loop goes on. `wake` ends a pause; `stop` resolves after the pass that is running, which sees the signal aborted.
 */
export class BackgroundLoop {
  private readonly stopping = new AbortController();
  private readonly pause = new WakeablePause();
  private gathering: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly work: BackgroundWork) {}

  start(): void {
    this.running = this.run();
  }

  /** There may be work: the next pass begins now, or after `gatherMs`. A pass that is running is followed by another one. */
  wake(): void {
    const { gatherMs = 0 } = this.work;
    if (gatherMs === 0) {
      this.pause.wake();
      return;
    }
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.pause.wake();
    }, gatherMs);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.gathering);
    this.pause.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    let pauseMs = this.work.firstPauseMs ?? 0;
    for (;;) {
      if (pauseMs > 0) await this.pause.atMost(pauseMs);
      if (signal.aborted) return;
      pauseMs = await this.work.pass(signal).catch((error: unknown) => this.work.failed(error));
    }
  }
}
