import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BUS_CONNECTION } from '@stablecoin/messaging/bus-connection';
import type { FastifyInstance } from 'fastify';
import type { NatsConnection } from 'nats';

const BUS_ANSWER_MS = 1_000;

/** For whoever runs the process: `live` when it answers at all, `ready` when it reaches the bus. Public. */
@Injectable()
export class Health {
  constructor(@Inject(BUS_CONNECTION) private readonly connection: NatsConnection) {}

  serve(fastify: FastifyInstance): void {
    fastify.get('/health/live', () => ({ status: 'success', data: { live: true } }));
    fastify.get('/health/ready', async () => {
      if (!(await this.busAnswers())) throw new Refusal('unavailable');
      return { status: 'success', data: { ready: true } };
    });
  }

  private async busAnswers(): Promise<boolean> {
    if (this.connection.isClosed()) return false;
    const answered = this.connection.rtt().then(
      () => true,
      () => false,
    );
    return Promise.race([answered, delay(BUS_ANSWER_MS, false, { ref: false })]);
  }
}
