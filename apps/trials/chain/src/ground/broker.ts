import { once } from 'node:events';
import { type NatsServer, startNats } from '@stablecoin/local-stack/nats';
import { obtainNatsServer } from '@stablecoin/local-stack/nats-binary';
import type { DataPaths } from '@stablecoin/local-stack/paths';
import type { Secrets } from '@stablecoin/local-stack/secrets';
import { EventEmitter } from 'node:stream';

/** The nats-server of a trial, which can be killed and comes back at its port with what it had stored. */
export class Broker {
  private constructor(
    private readonly launch: () => Promise<NatsServer>,
    private server: NatsServer,
  ) {}

  static async start(paths: DataPaths, secrets: Secrets): Promise<Broker> {
    const program = await obtainNatsServer(process.env, () => undefined);
    const launch = () => startNats(paths, secrets, program);
    return new Broker(launch, await launch());
  }

  get url(): string {
    return this.server.url;
  }

  async killAndRevive(): Promise<void> {
    const ends = new EventEmitter();
    this.server.onUnexpectedExit(() => ends.emit('end'));
    const ended = once(ends, 'end');
    process.kill(this.server.pid, 'SIGKILL');
    await ended;
    this.server = await this.launch();
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}
