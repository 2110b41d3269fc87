import { BeforeApplicationShutdown, Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { NatsConnection } from 'nats';
import { BUS_CONNECTION } from './bus-connection';
import { FactConsumer, FactHandler } from './fact-consumer';
import { LedgerStream } from './ledger-stream';
import { SealedCodec } from './sealed-codec';

/**
 * The process's consumers of facts. A handler adds itself when it is made; all start once the process is up, and stop
 * before it closes its databases.
 */
@Injectable()
export class FactConsumers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly handlers: FactHandler[] = [];
  private consumers: FactConsumer[] = [];

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
    this.consumers = this.handlers.map((handler) => new FactConsumer(stream, handler));
    this.consumers.forEach((consumer) => consumer.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.stop()));
  }
}
