import { BeforeApplicationShutdown, Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { NatsConnection } from 'nats';
import { BUS_CONNECTION } from './bus-connection';
import { FactConsumer } from './fact-consumer';
import { FactDesk } from './fact-desk';
import { FactHandler } from './fact-handler';
import { FactRetries } from './fact-retries';
import { LedgerStream } from './ledger-stream';
import { SealedCodec } from './sealed-codec';

/**
 * The process's consumers of facts, and what tries parked ones again. A handler adds itself when it is made; all start
 * once the process is up, and stop before it closes its databases.
 */
@Injectable()
export class FactConsumers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly handlers: FactHandler[] = [];
  private running: { start(): void; stop(): Promise<void> }[] = [];

  constructor(
    @Inject(BUS_CONNECTION) private readonly connection: NatsConnection,
    private readonly codec: SealedCodec,
  ) {}

  add(handler: FactHandler): void {
    this.handlers.push(handler);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.handlers.length === 0) return;
    const stream = await LedgerStream.open(this.connection, this.codec);
    const desks = this.handlers.map((handler) => new FactDesk(handler, this.codec));
    this.running = [...desks.map((desk) => new FactConsumer(stream, desk)), new FactRetries(desks)];
    this.running.forEach((each) => each.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.running.map((each) => each.stop()));
  }
}
