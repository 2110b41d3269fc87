import { AsyncResource } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import type { FastifyRequest } from 'fastify';
import { GatewayConfiguration } from '../gateway.configuration';
import { MerchantShare } from './merchant-share';
import { RouteBacklog } from './route-backlog';
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
 * | bound | of | why |
 * |---|---|---|
 * | `REQUESTS_UNDER_WAY_MAX` | all requests | memory; a burst on a gateway that has measured nothing yet |
 * | the expected delay (`route-backlog.ts`) | those of one route | services take requests in the order of their arrival |
 * | three quarters of all (`BusClient.limitPerService`) | those that wait for one service | one that hangs |
 * | `MERCHANT_REQUESTS_UNDER_WAY_MAX` (`merchant-share.ts`) | those of one merchant; more wait | others can't use what it occupies |
 *
 * Which services a request needs shows only when it calls them, after much of the gateway's work on it; so the route of a
 * request that met a full service is refused at the start for as long as that service is full.
 */
@Injectable()
export class InFlightLimiter {
  private readonly perServiceMax: number;
  private count = 0;
  private readonly backlogs = new Map<string, RouteBacklog>();
  private readonly shares = new Map<string, MerchantShare>();

  constructor(
    private readonly configuration: GatewayConfiguration,
    private readonly bus: BusClient,
  ) {
    this.perServiceMax = Math.ceil(configuration.requestsInFlightMax * SHARE_PER_SERVICE);
    bus.limitPerService(this.perServiceMax);
  }

  /** @throws Refusal without a free slot. It reserves none: `acquire` may still refuse when the body has arrived */
  requireSlot(request: FastifyRequest): void {
    if (!this.hasSlotFor(routeKey(request))) throw Refusal.notExecuted();
  }

  /**
   * @param route method and pattern, or the path as it was sent, which equals the pattern of a route without parameters
   * @param queued requests that will have begun before it
   */
  hasSlotFor(route: string, queued = 0): boolean {
    if (this.count + queued >= this.configuration.requestsInFlightMax) return false;
    const backlog = this.backlogs.get(route);
    if (!backlog || backlog.isFull(performance.now(), queued)) return backlog === undefined;
    const { fullService } = backlog;
    if (fullService === undefined) return true;
    // Those in flight that do not wait for the service yet, or no longer, count as well: most will.
    return !this.bus.isFull(fullService) && backlog.countWith(queued) < this.perServiceMax;
  }

  /** @throws Refusal rate_limited for a merchant of which as many requests wait as may */
  requireShare(merchantId: string): void {
    if (this.shares.get(merchantId)?.isFull) throw new Refusal('rate_limited');
  }

  /**
   * @param begin called in the caller's own context, now or when the merchant's requests before it have been answered;
   *   false when it has refused the request instead
   * @throws Refusal without a free slot, or beyond the merchant's share
   */
  acquire(request: FastifyRequest, merchantId: string, begin: (hasWaited: boolean) => boolean): void {
    this.requireSlot(request);
    this.requireShare(merchantId);
    this.count += 1;
    const bound = AsyncResource.bind((hasWaited: boolean) => {
      request.isInFlight = true;
      this.backlogOf(request).begin();
      if (begin(hasWaited)) return true;
      this.forget(request);
      return false;
    });
    this.shareOf(merchantId).enter(bound);
  }

  release(request: FastifyRequest): void {
    const { caller, fullService } = request;
    if (!request.isInFlight || !caller) return;
    this.forget(request);
    if (fullService !== undefined) this.backlogOf(request).fullService = fullService;
    const share = this.shareOf(caller.merchant_id);
    share.leave();
    if (share.isIdle) this.shares.delete(caller.merchant_id);
  }

  private forget(request: FastifyRequest): void {
    request.isInFlight = false;
    this.count -= 1;
    this.backlogOf(request).end(performance.now());
  }

  private shareOf(merchantId: string): MerchantShare {
    const known = this.shares.get(merchantId);
    if (known) return known;
    const share = new MerchantShare(this.configuration.merchantRequestsInFlightMax);
    this.shares.set(merchantId, share);
    return share;
  }

  private backlogOf(request: FastifyRequest): RouteBacklog {
    const route = routeKey(request);
    const known = this.backlogs.get(route);
    if (known) return known;
    const backlog = new RouteBacklog();
    this.backlogs.set(route, backlog);
    return backlog;
  }
}

const routeKey = ({ method, routeOptions }: FastifyRequest): string => `${method} ${routeOptions.url ?? ''}`;
