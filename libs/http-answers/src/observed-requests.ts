import { ERROR_CODES, ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { initializeSeries, instruments } from '@stablecoin/telemetry/metrics/instruments';
import { beginSpan, type OpenSpan, within } from '@stablecoin/telemetry/traces/tracing';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The root span of its trace; undefined while traces are off. */
    span: OpenSpan | undefined;
  }
}

/**
 * Measures and traces requests, in the first and the last hook of each. A route is named by its pattern, and requests
 * without a route share one name, so that callers can't create series. A trace begins here: a caller's `traceparent` is
 * ignored, so that callers don't decide what is traced.
 */
export function observeRequests(fastify: FastifyInstance): void {
  initializeSeries('http_refusals_total', { code: ERROR_CODES });
  fastify.decorateRequest('span', undefined);
  fastify.addHook('onRequest', (request, _reply, done) => {
    request.span = beginSpan(nameOf(request), { kind: 'server', attributes: attributesOf(request) });
    within(request.span, done);
  });
  // The hooks after the body has arrived and after the answer is sent run from socket events, outside of the span.
  fastify.addHook('preHandler', (request, _reply, done) => within(request.span, done));
  fastify.addHook('onResponse', (request, reply, done) => {
    measure(request, reply);
    within(request.span, done);
  });
}

export function countRefusal(code: ErrorCode): void {
  instruments.http_refusals_total.inc({ code });
}

/** Counts a request that was shed before its route was looked up, with a duration of 0. */
export function observeRefusal(code: ErrorCode, statusCode: number): void {
  countRefusal(code);
  const status = `${Math.floor(statusCode / 100)}xx`;
  instruments.http_request_duration_seconds.observe({ method: 'other', route: 'none', status }, 0);
}

function measure(request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode } = reply;
  const status = `${Math.floor(statusCode / 100)}xx`;
  // A stream of events lasts as long as its page is open: that says nothing of the service.
  const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream');
  const seconds = reply.elapsedTime / 1_000;
  if (!isStream) instruments.http_request_duration_seconds.observe({ ...namedBy(request), status }, seconds);
  request.span?.set('http.response.status_code', statusCode);
  request.span?.end(statusCode >= 500 ? { code: String(statusCode) } : undefined);
}

function namedBy(request: FastifyRequest): { method: string; route: string } {
  const pattern = request.is404 ? undefined : request.routeOptions.url;
  return pattern === undefined ? { method: 'other', route: 'none' } : { method: request.method, route: pattern };
}

function nameOf(request: FastifyRequest): string {
  const { method, route } = namedBy(request);
  return `${method} ${route}`;
}

/** The request's id leads from a log line to its trace. Callers may choose it, so only a UUID is recorded: it holds no data. */
function attributesOf(request: FastifyRequest): Record<string, string> {
  const { method, route } = namedBy(request);
  return {
    'http.request.method': method,
    'http.route': route,
    ...(isUuid(request.id) && { 'request.id': request.id }),
  };
}
