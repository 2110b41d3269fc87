import { ArgumentsHost, Catch, ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ServiceFull } from '@stablecoin/messaging/bulkheads';
import { within } from '@stablecoin/telemetry/traces/tracing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countRefusal } from '@stablecoin/http-answers/observed-requests';
import { idsOf, routeOf } from './request-log';
import { errorEnvelope } from '@stablecoin/http-answers/error-envelope';
import { ERROR_TABLE } from '@stablecoin/http-answers/error-table';

const RETRY_AFTER_SECONDS = 1;
const WORTH_RETRYING: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['unavailable', 'rate_limited']);

/** Our codes for the requests that Fastify and Nest refuse themselves, by the status that they give. */
const FRAMEWORK_CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'malformed_json',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  431: 'headers_too_large',
  503: 'unavailable',
};

/** The one place where an error becomes a response: a refusal by the error table, anything else is logged and 500. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger('Gateway');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent) return;
    const code = codeOf(error);
    request.refusedWith = code;
    if (error instanceof ServiceFull) request.fullService = error.service;
    countRefusal(code);
    // Errors of the body parser arrive from the socket, outside of the request's span.
    if (code === 'internal_error') within(request.span, () => this.report(error, request));
    const afterSeconds = (error instanceof Refusal && error.retryAfterSeconds) || RETRY_AFTER_SECONDS;
    if (WORTH_RETRYING.has(code) && !reply.hasHeader('retry-after')) reply.header('retry-after', afterSeconds);
    if (error instanceof Refusal && error.notExecuted && !request.command?.hasResult) reply.header('x-outcome', 'none');
    const fields = error instanceof Refusal ? error.fields : undefined;
    reply
      .removeHeader('idempotency-replayed')
      .status(ERROR_TABLE[code].status)
      .header('x-request-id', request.id)
      .header('content-type', 'application/json; charset=utf-8')
      .send(errorEnvelope(code, request.id, fields));
  }

  /** Logs the route's pattern, not the URL, in which a caller may have put anything. */
  private report(error: unknown, request: FastifyRequest): void {
    const of = { ...idsOf(request), method: request.method, route: routeOf(request) };
    if (error instanceof Refusal) this.log.error({ msg: 'a service answered internal_error', ...of });
    else this.log.error({ msg: 'failed', ...of, err: error });
  }
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof Refusal) return error.code;
  if (error instanceof HttpException) return FRAMEWORK_CODES[error.getStatus()] ?? 'internal_error';
  return 'internal_error';
}
