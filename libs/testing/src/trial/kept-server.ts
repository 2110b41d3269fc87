import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '@stablecoin/command-line/error-code';
import { say } from '@stablecoin/command-line/terminal';
import type { ServerProcess } from '@stablecoin/local-stack/server-process';

const RESTART_PAUSE_MS = 100;

/** One server, started again whenever it ends: at once, or, while it is held, when it is released. */
export class KeptServer<Server extends ServerProcess> {
  private stopping = false;
  private held: PromiseWithRelease | undefined;
  private restarting: Promise<void> = Promise.resolve();
  private readonly listeners: (() => void)[] = [];

  private constructor(
    private readonly name: string,
    private readonly launch: () => Promise<Server>,
    private server: Server,
  ) {
    this.watch();
  }

  static async start<Server extends ServerProcess>(
    name: string,
    launch: () => Promise<Server>,
  ): Promise<KeptServer<Server>> {
    return new KeptServer(name, launch, await launch());
  }

  get current(): Server {
    return this.server;
  }

  onRestart(listener: () => void): void {
    this.listeners.push(listener);
  }

  hold(): void {
    this.held ??= promiseWithRelease();
  }

  release(): void {
    this.held?.release();
    this.held = undefined;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.release();
    await this.restarting;
    await this.server.stop();
  }

  private watch(): void {
    this.server.onUnexpectedExit(() => {
      this.restarting = this.startAgain();
    });
  }

  private async startAgain(): Promise<void> {
    for (;;) {
      await delay(RESTART_PAUSE_MS);
      await this.held?.released;
      if (this.stopping) return;
      try {
        this.server = await this.launch();
        this.listeners.forEach((listener) => listener());
        this.watch();
        return;
      } catch (error) {
        say(`  ${this.name} does not start: ${errorMessage(error)}`);
      }
    }
  }
}

interface PromiseWithRelease {
  released: Promise<void>;
  release: () => void;
}

function promiseWithRelease(): PromiseWithRelease {
  let release: () => void = () => undefined;
  const released = new Promise<void>((done) => (release = done));
  return { released, release };
}
