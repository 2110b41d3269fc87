import { Injectable } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeys } from '../authentication/api-keys';
import { scopeOf } from '../authentication/caller';
import { RateLimits } from '../authentication/rate-limits';
import { Commands } from '../idempotency/command';
import { URL_CHARACTERS_MAX } from '../http/client-errors';
import { KnownPaths } from './known-paths';
import { EventLoopLag } from './event-loop-lag';
import { InFlightLimiter } from './in-flight-limiter';
import '../http/request-state';

/** Below the 5 s within which every request ends, by what a busy processor may be late, and writing the answer takes. */
const BUDGET_MS = 4_500;
/** With less left than this, a request would not come to its end. */
const LEAST_MS = 1_000;
const BODYLESS = new Set(['GET', 'HEAD']);

/**
 * Time and room first, which cost nothing to refuse. Then the checks that need no body, in the order that is promised: key →
 * rate → URL, route and method → scope → size. What
 * follows (media type, JSON) is the body parser's; fields, ids and rules are the controllers'.
 */
@Injectable()
export class Admission {
  readonly paths = new KnownPaths();

  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly rateLimits: RateLimits,
    private readonly commands: Commands,
    private readonly underWay: InFlightLimiter,
    private readonly lateness: EventLoopLag,
  ) {}

  /** Fastify's onRequest: before the body is read. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const lateMs = this.lateOf(request);
    const startedAt = Date.now() - lateMs;
    request.budgetMs = BUDGET_MS;
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    if (isApi(request)) {
      reply.header('cache-control', 'no-store');
      if (lateMs > BUDGET_MS - LEAST_MS) throw Refusal.notExecuted();
      this.underWay.requireRoom(request);
      await this.authenticate(request, reply, startedAt + BUDGET_MS);
    }
    this.requireRoute(request, reply);
    requirePermission(request);
    requireSize(request);
    this.underWay.requireRoomForBody(request, reply);
    request.budgetMs -= Date.now() - startedAt;
  }

  /** Fastify's preHandler: the body is there, the controller runs inside `done`. */
  prepare(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    if (!request.caller) return done();
    this.underWay.enter(request);
    if (!BODYLESS.has(request.method)) {
      request.command = this.commands.read(request, reply, request.caller.merchant_id);
    }
    const { caller, command } = request;
    const ids = { requestId: request.id, merchantId: caller.merchant_id, commandId: command?.ids.command_id };
    withRequestContext({ ...ids, deadline: Date.now() + request.budgetMs }, () => done());
  }

  /** How long it has waited until now, before and after it was read. */
  private lateOf({ raw }: FastifyRequest): number {
    const now = performance.now();
    const readAt = raw.readAt ?? now;
    return Math.ceil(this.lateness.msAt(readAt) + now - readAt);
  }

  private async authenticate(request: FastifyRequest, reply: FastifyReply, deadline: number): Promise<void> {
    const key = request.headers['x-api-key'];
    const caller = await withRequestContext({ requestId: request.id, deadline }, () => this.apiKeys.resolve(key));
    const { allowed, remaining, waitMs } = this.rateLimits.take(caller.api_key_id);
    const waitSeconds = Math.ceil(waitMs / 1_000);
    reply
      .header('ratelimit-policy', this.rateLimits.policy)
      .header('ratelimit', `"default";r=${remaining};t=${waitSeconds}`);
    if (!allowed) {
      reply.header('retry-after', Math.max(1, waitSeconds));
      throw new Refusal('rate_limited');
    }
    request.caller = caller;
  }

  private requireRoute(request: FastifyRequest, reply: FastifyReply): void {
    const url = request.raw.url ?? '';
    if (url.length > URL_CHARACTERS_MAX) throw new Refusal('uri_too_long');
    if (!request.is404) return;
    const methods = this.paths.methodsOf(pathOf(url));
    if (methods.length === 0 || methods.includes(request.method)) throw new Refusal('not_found');
    reply.header('allow', methods.join(', '));
    throw new Refusal('method_not_allowed');
  }
}

/** By the route, where there is one: the same path can be written in other ways, percent-encoded for one. */
function isApi(request: FastifyRequest): boolean {
  const path = request.is404 ? pathOf(request.raw.url ?? '') : (request.routeOptions.url ?? '');
  return path === '/api' || path.startsWith('/api/');
}

function requirePermission(request: FastifyRequest): void {
  const { caller, routeOptions } = request;
  if (!caller) return;
  if (routeOptions.config.sandboxOnly && caller.mode !== 'test') throw new Refusal('not_found');
  if (!caller.scopes.includes(scopeOf(request.method, routeOptions.url ?? ''))) throw new Refusal('insufficient_scope');
}

function requireSize(request: FastifyRequest): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (!BODYLESS.has(request.method) && length > request.routeOptions.bodyLimit) throw new Refusal('payload_too_large');
}

/** Decoded, as the router reads it; the adapter has made sure that it can be. */
const pathOf = (url: string): string => decodeURIComponent(url.split('?', 1)[0] as string);
