import { Injectable } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Readiness } from '@stablecoin/service-host/operations/readiness';
import type { FastifyInstance } from 'fastify';

/** For a load balancer that sees only this port, as the gateway has it: without the reasons, which the operations server gives. */
@Injectable()
export class Health {
  constructor(private readonly readiness: Readiness) {}

  serve(fastify: FastifyInstance): void {
    fastify.get('/health/live', () => ({ status: 'success', data: { live: true } }));
    fastify.get('/health/ready', async () => {
      const { ready } = await this.readiness.report();
      if (!ready) throw new Refusal('unavailable');
      return { status: 'success', data: { ready: true } };
    });
  }
}
