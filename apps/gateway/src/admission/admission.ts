import { Injectable, Logger } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAllowedFrom } from '../authentication/allowed-addresses';
import { ApiKeys, Attempt } from '../authentication/api-keys';
import { Caller, scopeOf } from '../authentication/caller';
import { RateLimits } from '../authentication/rate-limits';
import { UnauthenticatedRateLimits } from '@stablecoin/http-answers/unauthenticated-rate-limits';
import { LargeJsonBodies } from '../documents/large-json-bodies';
import { Commands } from '../idempotency/command';
import { ClientAddresses } from '../http/client-addresses';
import { URL_CHARACTERS_MAX } from '../http/client-errors';
import { EventLoopLag } from './event-loop-lag';
import { InFlightLimiter } from './in-flight-limiter';
import { KnownPaths } from './known-paths';
import { costOf } from './request-cost';
import '../http/request-state';

/** Less than the 5 s within which every request ends: a busy processor may be late, and the answer has to be written. */
const BUDGET_MS = 4_500;
/** A request with less time left would not end by its deadline. */
const BUDGET_MIN_MS = 1_000;
const BODYLESS = new Set(['GET', 'HEAD']);

/**
 * What a request passes before its controller, in this order. Each step costs less than those after it.
 *
 * | step | where | refuses | bounded by |
 * |---|---|---|---|
 * | connection | `connections.ts` | closes it | `CONNECTIONS_MAX` open, `CONNECTIONS_PER_ADDRESS_MAX`; `ACCEPT_QUEUE_MAX` waiting |
 * | connection read | `connection-turns.ts` | | its address's turn, unless a valid key came from it lately |
 * | head read | `adapter.ts`, `client-errors.ts` | 400, 414, 431 | `HEADER_BYTES_MAX`, `HEADERS_MAX`, `HEADERS_TIMEOUT_MS` |
 * | expectation | `expectations.ts` | 417 | |
 * | queued, in turns | `request-scheduler.ts` | closes it, keeps its address out | `PIPELINED_…MAX`; `SLICE_MS` per turn; `UNKNOWN_RATE` |
 * | started or shed | `load-shedder.ts` | 503 `x-outcome: none` | `QUEUED_MAX`; a free slot; the route's service not full |
 * | page without a key | `page-limits.ts` | 429, 503 `x-outcome: none` | bytes by address, and of all |
 * | time left | `admit`, with `event-loop-lag.ts` | 503 `x-outcome: none` | `BUDGET_MIN_MS` of `BUDGET_MS` left |
 * | slot free | `admit`, with `in-flight-limiter.ts` | 503 `x-outcome: none` | `REQUESTS_UNDER_WAY_MAX`, none reserved yet |
 * | key | `admit`, with `api-keys.ts` | 401, 429, 503 `x-outcome: none` | deadline, `UNAUTHENTICATED_RATE_LIMIT_…`; `GUESSES` |
 * | address | `admit`, with `allowed-addresses.ts` | 401, 429 | as for a key that is unknown |
 * | rate | `admit`, with `request-cost.ts` | 429 | `RATE_LIMIT_PER_SECOND`, `RATE_LIMIT_BURST`, by cost |
 * | share | `admit`, with `merchant-share.ts` | 429 | `WAITING_PER_RUNNING` of its merchant's requests waiting |
 * | URL, route, method | `admit` | 414, 404, 405 | `URL_CHARACTERS_MAX` |
 * | scope | `admit` | 404, 403 | |
 * | size | `admit` | 413 | the route's body limit |
 * | documents: room | `admit`, with `large-json-bodies.ts` | 503 `x-outcome: none` | two large bodies worked on; the merchant's share |
 * | body read | Fastify, `serve.ts` | 415, 413 | the route's body limit, `REQUEST_TIMEOUT_MS` |
 * | chunks arriving | `chunk-sizes.ts` | closes the connection | `MEAN_BYTES_MIN` beyond `CHUNKS_MIN` chunks |
 * | documents: arriving | `arriving-body.ts` | 503 `x-outcome: none`, or closes the connection | the merchant's share; `PACE_BYTES_MIN` |
 * | body parsed | `json-body.ts`, `json-scan.ts` | 400 | `JSON_BOUNDS`, `FIELDS_JSON_BOUNDS`, `DOCUMENTS_JSON_BOUNDS` |
 * | slot taken | `prepare` | 503 `x-outcome: none`, 429 | a slot, until the answer is made |
 * | turn among its merchant's | `merchant-share.ts` | 503 `x-outcome: none` | `MERCHANT_REQUESTS_UNDER_WAY_MAX` at a time |
 * | Idempotency-Key | `prepare` | 400 | |
 * | fields, ids, owner, rules | the controllers | by the error table | `SHARE_PER_SERVICE` of the slots |
 *
 * What is refused before its body has come is answered at once; `lingering-close.ts` bounds what is discarded then.
 *
 * From the key on, this is the order that docs/ERRORS.md promises.
 */
@Injectable()
export class Admission {
  readonly paths = new KnownPaths();
  private readonly log = new Logger(Admission.name);

  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly rateLimits: RateLimits,
    private readonly unauthenticated: UnauthenticatedRateLimits,
    private readonly addresses: ClientAddresses,
    private readonly commands: Commands,
    private readonly limiter: InFlightLimiter,
    private readonly largeBodies: LargeJsonBodies,
    private readonly lag: EventLoopLag,
  ) {}

  /** Fastify's onRequest: before the body is read. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const waitedMs = this.waitedMsOf(request);
    const arrivedAt = Date.now() - waitedMs;
    request.budgetMs = BUDGET_MS;
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    if (isApi(request)) {
      reply.header('cache-control', 'no-store');
      if (waitedMs > BUDGET_MS - BUDGET_MIN_MS) throw Refusal.notExecuted();
      this.limiter.requireSlot(request);
      await this.authenticate(request, reply, arrivedAt + BUDGET_MS);
    }
    this.requireRoute(request, reply);
    requirePermission(request);
    requireSize(request);
    this.largeBodies.requireRoom(request);
    request.budgetMs -= Date.now() - arrivedAt;
  }

  /** Fastify's preHandler: the body has arrived, the controller runs inside `done`. */
  prepare(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const { caller } = request;
    if (!caller) {
      done();
      return;
    }
    const readyAt = performance.now();
    this.limiter.acquire(request, caller.merchant_id, (hasWaited) => {
      request.budgetMs -= performance.now() - readyAt;
      if (hasWaited && (request.budgetMs < BUDGET_MIN_MS || request.raw.socket.destroyed)) {
        // Later, when the limiter has given its slot back: the answer, which gives one back as well, is made within `done`.
        setImmediate(() => done(Refusal.notExecuted()));
        return false;
      }
      this.begin(request, reply, caller, done);
      return true;
    });
  }

  private begin(request: FastifyRequest, reply: FastifyReply, caller: Caller, done: (error?: Error) => void): void {
    try {
      if (!BODYLESS.has(request.method)) {
        request.command = this.commands.read(request, reply, caller.merchant_id);
      }
    } catch (error) {
      done(error as Error);
      return;
    }
    const commandId = request.command?.ids.command_id;
    const ids = { requestId: request.id, merchantId: caller.merchant_id, mode: caller.mode, commandId };
    withRequestContext({ ...ids, deadline: Date.now() + request.budgetMs }, () => done());
  }

  /** How long the request has waited, in its socket and in the scheduler's queue. */
  private waitedMsOf({ raw }: FastifyRequest): number {
    const now = performance.now();
    const readAt = raw.readAt ?? now;
    return Math.ceil(this.lag.msAt(readAt) + now - readAt);
  }

  private async authenticate(request: FastifyRequest, reply: FastifyReply, deadline: number): Promise<void> {
    const key = request.headers['x-api-key'];
    const attempt = this.attemptOf(request, reply);
    const ids = { requestId: request.id, deadline };
    const caller = await withRequestContext(ids, () => this.apiKeys.resolve(key, attempt));
    this.requireAllowedAddress(request, caller, attempt);
    this.addresses.rememberCaller(this.addresses.ofRequest(request.raw));
    const { allowed, remaining, waitMs } = this.rateLimits.take(caller, costOf(request));
    const waitSeconds = Math.ceil(waitMs / 1_000);
    reply
      .header('ratelimit-policy', this.rateLimits.policy)
      .header('ratelimit', `"default";r=${remaining};t=${waitSeconds}`);
    if (!allowed) {
      reply.header('retry-after', Math.max(1, waitSeconds));
      throw new Refusal('rate_limited');
    }
    this.limiter.requireShare(caller.merchant_id);
    request.caller = caller;
  }

  /**
   * A key that is used from an address that it does not allow is refused as an unknown one is, and limited as one: who
   * found or stole it doesn't learn that it is valid.
   */
  private requireAllowedAddress({ raw, id }: FastifyRequest, caller: Caller, attempt: Attempt): void {
    if (isAllowedFrom(caller, this.addresses.exactOfRequest(raw))) return;
    attempt.begin();
    instruments.key_address_refusals_total.inc();
    const { api_key_id, merchant_id } = caller;
    this.log.warn({
      msg: 'an API key was used from an address that it does not allow',
      api_key_id,
      merchant_id,
      request_id: id,
    });
    throw new Refusal('invalid_api_key');
  }

  private attemptOf({ raw }: FastifyRequest, reply: FastifyReply): Attempt {
    const address = (): string => this.addresses.ofRequest(raw);
    const begin = (): void => {
      const { allowed, waitMs } = this.unauthenticated.take(address());
      if (allowed) return;
      const waitSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
      reply
        .header('ratelimit-policy', this.unauthenticated.policy)
        .header('ratelimit', `"unauthenticated";r=0;t=${waitSeconds}`)
        .header('retry-after', waitSeconds)
        // Whatever was pipelined behind it is not answered: each refusal costs more than its request.
        .header('connection', 'close');
      throw new Refusal('rate_limited');
    };
    const beginLookUp = (): void => {
      if (!this.unauthenticated.mayLookUp(address())) throw Refusal.notExecuted();
    };
    const failed = (): void => this.unauthenticated.guessed(address());
    return { begin, beginLookUp, failed, giveBack: () => this.unauthenticated.giveBack(address()) };
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

/** Decided by the route, where there is one: a path can be spelled in several ways, such as percent-encoded. */
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

/** Decoded, as the router reads it; `rewriteUrl` of the adapter lets no other URL through. */
const pathOf = (url: string): string => decodeURIComponent(url.split('?', 1)[0] ?? '');
