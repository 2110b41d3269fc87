import { BeforeApplicationShutdown, Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { BUS_CONNECTION } from '@stablecoin/messaging/bus-connection';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { INBOX_RETENTION_DAYS } from '@stablecoin/messaging/messaging.module';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { initializeSeries, readAtScrape } from '@stablecoin/telemetry/metrics/instruments';
import { NatsConnection } from 'nats';
import { FactConsumer } from './fact-consumer';
import { FactProcessor } from './fact-processor';
import { FactHandler } from './fact-handler';
import { FactRetries } from './fact-retries';
import { InboxRetention } from './inbox-retention';
import { MissedFacts } from './missed-facts';

/**
 * The process's consumers of facts, with their retries of parked facts and the retention of their inbox rows. A handler
 * adds itself when it is made; all start once the process is up, and stop before it closes its databases.
 */
@Injectable()
export class FactConsumers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly handlers: FactHandler[] = [];
  private running: { start(): void; stop(): Promise<void> }[] = [];
  private stopMeasuring: (() => void)[] = [];

  constructor(
    @Inject(BUS_CONNECTION) private readonly connection: NatsConnection,
    private readonly codec: SealedCodec,
    private readonly client: BusClient,
    @Inject(INBOX_RETENTION_DAYS) private readonly inboxRetentionDays: number,
  ) {}

  add(handler: FactHandler): void {
    this.handlers.push(handler);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.handlers.length === 0) return;
    const stream = await LedgerStream.open(this.connection, this.codec);
    const processors = this.handlers.map((handler) => new FactProcessor(handler, this.codec));
    this.running = [
      ...processors.flatMap((processor) => {
        const missed = new MissedFacts(stream, processor, this.client);
        return [missed, new FactConsumer(stream, processor, () => missed.catchUp())];
      }),
      new FactRetries(processors),
      new InboxRetention(this.handlers, this.inboxRetentionDays),
    ];
    this.running.forEach((each) => each.start());
    const consumer = processors.map(({ durable }) => durable);
    initializeSeries('consumer_handle_duration_seconds', { consumer, outcome: ['handled', 'failed'] });
    this.stopMeasuring = [
      readAtScrape('consumer_lag_facts', () => eachOf(processors, ({ durable }) => stream.pending(durable))),
      readAtScrape('consumer_parked_facts', () => eachOf(processors, (processor) => processor.parked())),
    ];
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopMeasuring.forEach((stop) => stop());
    await Promise.all(this.running.map((each) => each.stop()));
  }
}

function eachOf(processors: readonly FactProcessor[], figure: (processor: FactProcessor) => Promise<number>) {
  return Promise.all(
    processors.map(async (processor) => ({ labels: { consumer: processor.durable }, value: await figure(processor) })),
  );
}
