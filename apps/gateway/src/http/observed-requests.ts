import { ERROR_CODES, ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { initializeSeries, instruments } from '@stablecoin/telemetry/metrics/instruments';
import { beginSpan, within } from '@stablecoin/telemetry/traces/tracing';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import './request-state';

/**
 * What is measured and traced of requests: the first hook of each and the last. A route is named by its pattern, and
 * what has none is one name, so that callers can't make series. A trace begins here; one that a caller says it has begun
 * isn't gone on with, since nobody outside decides what is traced.
 */
export function observeRequests(fastify: FastifyInstance): void {
  initializeSeries('http_refusals_total', { code: ERROR_CODES });
  fastify.decorateRequest('span', undefined);
  fastify.addHook('onRequest', (request, _reply, done) => {
    request.span = beginSpan(nameOf(request), { kind: 'server', attributes: attributesOf(request) });
    within(request.span, done);
  });
  // The body's arrival and the answer's leaving are the socket's doing: what follows them is a part of the request again.
  fastify.addHook('preHandler', (request, _reply, done) => within(request.span, done));
  fastify.addHook('onResponse', (request, reply, done) => {
    measure(request, reply);
    within(request.span, done);
  });
}

export function countRefusal(code: ErrorCode): void {
  instruments.http_refusals_total.inc({ code });
}

/** Of a request that was refused before its route was looked for; it took no time worth telling. */
export function observeRefusal(code: ErrorCode, statusCode: number): void {
  countRefusal(code);
  const status = `${Math.floor(statusCode / 100)}xx`;
  instruments.http_request_duration_seconds.observe({ method: 'other', route: 'none', status }, 0);
}

function measure(request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode } = reply;
  const status = `${Math.floor(statusCode / 100)}xx`;
  const seconds = reply.elapsedTime / 1_000;
  instruments.http_request_duration_seconds.observe({ ...namedBy(request), status }, seconds);
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

/** The request's id leads from a log line to its trace. A caller may choose it: only what can't say anything is told. */
function attributesOf(request: FastifyRequest): Record<string, string> {
  const { method, route } = namedBy(request);
  return {
    'http.request.method': method,
    'http.route': route,
    ...(isUuid(request.id) && { 'request.id': request.id }),
  };
}
