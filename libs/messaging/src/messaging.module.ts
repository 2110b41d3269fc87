import { setTimeout as delay } from 'node:timers/promises';
import { DynamicModule, Inject, Module, OnApplicationShutdown, ValueProvider } from '@nestjs/common';
import { NatsConnection } from 'nats';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { Announcements } from './announcements';
import { BusClient } from './bus-client';
import { BUS_CONNECTION } from './bus-connection';
import { BusServer } from './bus-server';
import { SealedCodec } from './sealed-codec';

/** The number of days that inbox rows are kept, among the providers. */
export const INBOX_RETENTION_DAYS = Symbol('INBOX_RETENTION_DAYS');

const CLOSE_MS = 2_000;

export interface Bus {
  connection: NatsConnection;
  codec: SealedCodec;
  /** By which the ledger knows this service's commands; among the providers where there is one. */
  secret?: CallerSecret | undefined;
  client: BusClient;
  server: BusServer;
  /** How long consumers of facts remember what they have had; 30 days unless said otherwise. */
  inboxRetentionDays?: number;
}

/** Gives a process its one connection to the bus, and closes it last. */
@Module({})
export class MessagingModule implements OnApplicationShutdown {
  constructor(@Inject(BUS_CONNECTION) private readonly connection: NatsConnection) {}

  static of(bus: Bus): DynamicModule {
    const providers: ValueProvider[] = [
      { provide: BUS_CONNECTION, useValue: bus.connection },
      { provide: SealedCodec, useValue: bus.codec },
      { provide: BusClient, useValue: bus.client },
      { provide: BusServer, useValue: bus.server },
      { provide: Announcements, useValue: new Announcements(bus.connection, bus.codec) },
      { provide: INBOX_RETENTION_DAYS, useValue: bus.inboxRetentionDays ?? 30 },
    ];
    if (bus.secret) providers.push({ provide: CallerSecret, useValue: bus.secret });
    return {
      module: MessagingModule,
      global: true,
      providers,
      exports: providers,
    };
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.connection.isClosed()) return;
    // While the broker is away, drain waits for it.
    await Promise.race([this.connection.drain(), delay(CLOSE_MS, undefined, { ref: false })]);
  }
}
