import { Injectable } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Readiness } from '@stablecoin/service-host/operations/readiness';
import type { FastifyInstance } from 'fastify';

/**
 * For a load balancer that sees only the merchants' port: `live` when the process answers at all, `ready` when it should
 * get requests. Public, so without the reasons, which the operations server gives.
 *
 * A gateway is ready while it reaches the bus. The services behind it are not asked: the routes of one that is away answer
 * 503, while a gateway that reported itself unready for it would take away all other routes, as would every other gateway
 * at the same moment.
 */
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
