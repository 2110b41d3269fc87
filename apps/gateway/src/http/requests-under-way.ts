import { Injectable } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { FastifyRequest } from 'fastify';
import { GatewayConfiguration } from '../gateway.configuration';
import './request-state';

/**
 * Bounds the requests that are worked on at once. What the services behind can do in a second doesn't grow with what is
 * asked of them; all that more requests at once bring is that each takes longer, until none ends by its deadline. So the
 * next one is refused, at once and before it costs anything.
 *
 * A request counts from when its body is there, so that slow senders hold no room, until its answer is made, also where
 * its caller has gone away meanwhile.
 */
@Injectable()
export class RequestsUnderWay {
  private count = 0;

  constructor(private readonly configuration: GatewayConfiguration) {}

  /** @throws Refusal when there is no room; whoever was let through may still find none when its body has arrived */
  requireRoom(): void {
    if (this.count >= this.configuration.requestsUnderWayMax) throw Refusal.untouched();
  }

  enter(request: FastifyRequest): void {
    this.requireRoom();
    this.count += 1;
    request.isUnderWay = true;
  }

  leave(request: FastifyRequest): void {
    if (!request.isUnderWay) return;
    request.isUnderWay = false;
    this.count -= 1;
  }
}
