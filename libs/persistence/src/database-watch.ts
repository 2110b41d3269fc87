import { BeforeApplicationShutdown, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { Operation } from '@stablecoin/contracts/wire/operation';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { Client } from 'pg';
import { answeredAtMs, clientWithAnswerTimeout } from './client-with-answer-timeout';

export interface WatchedDatabase {
  url: string;
  /** Shown by the database beside the connection. */
  applicationName: string;
  /** In the log, where a process has several. */
  name?: string;
  /** Operations that this process answers without the database: it goes on answering them. */
  answeredWithout?: readonly Operation<object, unknown>[];
}

const LOOK_EVERY_MS = 250;
const LOOK_MS = 600;
/** Once it is lost: a database that is slow is taken for there again. */
const LOOK_WHILE_LOST_MS = 3_000;
/** One look may fail because this process itself was halted: its timers end before it reads what has arrived. */
const FAILED_LOOKS = 2;
const UNANSWERED_MS = 1_000;

/**
 * Takes an instance out of its queue group while it alone, or each instance, has lost the database: it would refuse its
 * share of the requests at once, which is more than the share that it had while it worked. The broker then gives them
 * to the other instances, and where there is none, callers wait for a moment (bus-client.ts), since nothing was done.
 *
 * An overloaded database is not lost: every instance would leave, and what it can still do would not be asked of it.
 * So there is a connection for the watch alone, which waits behind no other request; and as long as one connection of
 * the process is answered, however late, the database counts as there.
 */
export class DatabaseWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(DatabaseWatch.name);
  private client: Client | undefined;
  private failedLooks = 0;
  private isLost = false;
  private readonly loop = new BackgroundLoop({
    pass: async () => {
      await this.look();
      this.failedLooks = 0;
      if (this.isLost) this.back();
      return LOOK_EVERY_MS;
    },
    failed: () => {
      this.failedLooks += 1;
      this.close();
      const unansweredMs = performance.now() - answeredAtMs(this.database.url);
      if (!this.isLost && this.failedLooks >= FAILED_LOOKS && unansweredMs >= UNANSWERED_MS) this.lose();
      return this.failedLooks < FAILED_LOOKS ? 1 : LOOK_EVERY_MS;
    },
  });

  constructor(
    private readonly database: WatchedDatabase,
    private readonly server: Pick<BusServer, 'pause' | 'resume'>,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    this.close();
  }

  private async look(): Promise<void> {
    this.client ??= await this.connect();
    await this.client.query('SELECT 1');
  }

  private async connect(): Promise<Client> {
    const patienceMs = this.isLost ? LOOK_WHILE_LOST_MS : LOOK_MS;
    const ClientOfWatch = clientWithAnswerTimeout(patienceMs);
    const client = new ClientOfWatch({
      connectionString: this.database.url,
      application_name: `${this.database.applicationName}-watch`,
      connectionTimeoutMillis: patienceMs,
      keepAlive: true,
    });
    await client.connect();
    return client;
  }

  private close(): void {
    // Its end is not waited for: a server that is gone confirms none.
    void this.client?.end().catch(() => undefined);
    this.client = undefined;
  }

  private get named(): string {
    const { name } = this.database;
    return name === undefined ? '' : ` ${name}`;
  }

  private lose(): void {
    this.isLost = true;
    this.log.error(`the database${this.named} is lost: taking no requests until it answers again`);
    this.server.pause(this.database.answeredWithout).catch((error: unknown) => this.log.error(error));
  }

  private back(): void {
    this.isLost = false;
    // The next look is made with less patience, on a connection of its own.
    this.close();
    this.log.log(`the database${this.named} answers again: taking requests`);
    this.server.resume();
  }
}
