import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { Client } from 'pg';
import { clientWithAnswerTimeout } from './client-with-answer-timeout';

export interface Channel {
  url: string;
  /** Shown by the database beside the connection. */
  applicationName: string;
  /** As in NOTIFY: a plain identifier. */
  name: string;
}

const LOOK_EVERY_MS = 5_000;
const ANSWER_MS = 4_000;
const RECONNECT_MS = 500;

/**
 * Hears what transactions of the database notify a channel of, each at its commit, on a connection of its own. What is
 * notified while that connection is broken is not heard: a hint, never the only way to learn of a change.
 */
export class Notifications {
  private client: Client | undefined;
  private readonly loop = new BackgroundLoop({
    pass: async () => {
      this.client ??= await this.listen();
      await this.client.query('SELECT 1');
      return LOOK_EVERY_MS;
    },
    failed: (error) => {
      this.close();
      this.lost(error);
      return RECONNECT_MS;
    },
  });

  /** @param lost reports that the channel can't be heard for now */
  constructor(
    private readonly channel: Channel,
    private readonly heard: (payload: string) => void,
    private readonly lost: (error: unknown) => void,
  ) {}

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    this.close();
  }

  private async listen(): Promise<Client> {
    const ListeningClient = clientWithAnswerTimeout(ANSWER_MS);
    const client = new ListeningClient({
      connectionString: this.channel.url,
      application_name: this.channel.applicationName,
      connectionTimeoutMillis: ANSWER_MS,
      keepAlive: true,
    });
    client.on('error', () => this.loop.wake());
    client.on('notification', ({ payload }) => this.heard(payload ?? ''));
    await client.connect();
    await client.query(`LISTEN ${this.channel.name}`);
    return client;
  }

  private close(): void {
    // Its end is not waited for: a server that is gone confirms none.
    void this.client?.end().catch(() => undefined);
    this.client = undefined;
  }
}
