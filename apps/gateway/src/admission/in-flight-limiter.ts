import { Injectable } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayConfiguration } from '../gateway.configuration';
import '../http/request-state';

/** Of large bodies that are here or on their way: customers' documents, at up to 15 MiB a request. */
const LARGE_BODIES_BYTES = 256 * 1024 * 1024;
/** Of the room, what requests that wait for one and the same service may take: when it hangs, the rest is left to others. */
const SHARE_OF_A_SERVICE = 3 / 4;

/**
 * Bounds the requests that are worked on at once. What the services behind can do in a second doesn't grow with what is
 * asked of them; all that more requests at once bring is that each takes longer, until none ends by its deadline. So the
 * next one is refused, at once and before it costs anything.
 *
 * A request counts from when its body is there, so that slow senders hold no room, until its answer is made, also where
 * its caller has gone away meanwhile.
 *
 * The same bound, a little lower, holds for those that wait for one service. Which services a request needs shows only
 * when it asks them, after much of the gateway's work on it; so a route that found one full is refused at the door for as
 * long as that one is.
 */
@Injectable()
export class InFlightLimiter {
  private count = 0;
  private largeBodiesBytes = 0;
  /** By route: the service that it last found full. */
  private readonly foundFull = new Map<string, string>();

  constructor(
    private readonly configuration: GatewayConfiguration,
    private readonly bus: BusClient,
  ) {
    bus.limitPerService(Math.ceil(configuration.requestsUnderWayMax * SHARE_OF_A_SERVICE));
  }

  /** @throws Refusal when there is no room; whoever was let through may still find none when its body has arrived */
  requireRoom(request: FastifyRequest): void {
    if (!this.hasRoomFor(routeKey(request))) throw Refusal.notExecuted();
  }

  /** @param route also a path as it was asked for, which is that of its route where that has no parameters */
  hasRoomFor(route: string): boolean {
    if (this.count >= this.configuration.requestsUnderWayMax) return false;
    const service = this.foundFull.get(route);
    return service === undefined || !this.bus.isFull(service);
  }

  enter(request: FastifyRequest): void {
    this.requireRoom(request);
    this.count += 1;
    request.isInFlight = true;
  }

  /**
   * Room in memory for a large body, before it is read, until its answer is sent or its sender gone. One that doesn't
   * say how large it is counts as the largest that is taken.
   */
  requireRoomForBody(request: FastifyRequest, reply: FastifyReply): void {
    if (!request.routeOptions.config.takesDocuments) return;
    const bytes = Number(request.headers['content-length'] ?? request.routeOptions.bodyLimit);
    if (this.largeBodiesBytes + bytes > LARGE_BODIES_BYTES) throw Refusal.notExecuted();
    const { socket } = request.raw;
    // While its key was looked up: nothing would tell of its end any more.
    if (socket.destroyed) throw Refusal.notExecuted();
    this.largeBodiesBytes += bytes;
    let held = true;
    const release = (): void => {
      if (held) this.largeBodiesBytes -= bytes;
      held = false;
      for (const end of [reply.raw, socket]) end.off('close', release);
    };
    // An answer that waits behind others of its connection is not told of the connection's end.
    for (const end of [reply.raw, socket]) end.once('close', release);
  }

  leave(request: FastifyRequest): void {
    if (!request.isInFlight) return;
    request.isInFlight = false;
    this.count -= 1;
    if (request.foundFull !== undefined) this.foundFull.set(routeKey(request), request.foundFull);
  }
}

const routeKey = ({ method, routeOptions }: FastifyRequest): string => `${method} ${routeOptions.url ?? ''}`;
