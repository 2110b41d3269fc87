import { Injectable } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import type { FastifyRequest } from 'fastify';
import { GatewayConfiguration } from '../gateway.configuration';
import '../http/request-state';

/** The share of the requests in flight that may wait for one service: while that one hangs, the rest is left to others. */
const SHARE_PER_SERVICE = 3 / 4;

/**
 * Bounds the requests in flight. The services handle only so many requests in a second: with more at once, each takes
 * longer, until none ends by its deadline. So the gateway refuses the next one at once, before it costs anything.
 *
 * A request is in flight from when its body has arrived, so that slow senders take no slot, until its answer is made, also
 * where its caller has disconnected.
 *
 * A lower bound holds for the requests that wait for one service (`BusClient.limitPerService`). Which services a request
 * needs shows only when it calls them, after much of the gateway's work on it; so the route of a request that met a full
 * service is refused at the start for as long as that service is full.
 */
@Injectable()
export class InFlightLimiter {
  private count = 0;
  /** By route: the service that its latest refused request found full. */
  private readonly fullServices = new Map<string, string>();

  constructor(
    private readonly configuration: GatewayConfiguration,
    private readonly bus: BusClient,
  ) {
    bus.limitPerService(Math.ceil(configuration.requestsInFlightMax * SHARE_PER_SERVICE));
  }

  /** @throws Refusal without a free slot. It reserves none: `acquire` may still refuse when the body has arrived */
  requireSlot(request: FastifyRequest): void {
    if (!this.hasSlotFor(routeKey(request))) throw Refusal.notExecuted();
  }

  /** @param route method and pattern, or the path as it was sent, which equals the pattern of a route without parameters */
  hasSlotFor(route: string): boolean {
    if (this.count >= this.configuration.requestsInFlightMax) return false;
    const service = this.fullServices.get(route);
    return service === undefined || !this.bus.isFull(service);
  }

  acquire(request: FastifyRequest): void {
    this.requireSlot(request);
    this.count += 1;
    request.isInFlight = true;
  }

  release(request: FastifyRequest): void {
    if (!request.isInFlight) return;
    request.isInFlight = false;
    this.count -= 1;
    if (request.fullService !== undefined) this.fullServices.set(routeKey(request), request.fullService);
  }
}

const routeKey = ({ method, routeOptions }: FastifyRequest): string => `${method} ${routeOptions.url ?? ''}`;
