import { Injectable } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Readiness } from '@stablecoin/service-host/operations/readiness';
import type { FastifyInstance } from 'fastify';

/**
 * For a load balancer that sees no other port than the merchants': `live` when the process answers at all, `ready` when
 * it should be sent requests. Public, so without the reasons, which the operations server gives.
 *
 * Ready is a gateway that reaches the bus. The services behind it are not asked: one that is away is answered for with
 * 503 route by route, while a gateway that called itself unready for it would take the other routes away as well, and
 * with it every gateway at once.
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
