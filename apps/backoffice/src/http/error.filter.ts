import { ArgumentsHost, Catch, ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { errorEnvelope } from '@stablecoin/http-answers/error-envelope';
import { ERROR_TABLE } from '@stablecoin/http-answers/error-table';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_REFUSALS, ConsoleRefusal } from './console-refusal';

const RETRY_AFTER_SECONDS = 1;
/** For what Fastify and Nest refuse themselves. */
const FRAMEWORK_CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'malformed_json',
  404: 'not_found',
  413: 'payload_too_large',
  405: 'method_not_allowed',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
};

/** The one place where an error becomes a response, in the shape that the gateway gives it. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger('Console');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { id, method, routeOptions } = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent) return;
    reply.header('content-type', 'application/json; charset=utf-8');
    if (error instanceof ConsoleRefusal) {
      const { status, message } = CONSOLE_REFUSALS[error.code];
      reply.status(status).send({ status: 'error', code: error.code, message, request_id: id });
      return;
    }
    const code = codeOf(error);
    if (code === 'internal_error')
      this.log.error({ msg: 'failed', request_id: id, method, route: routeOptions.url, err: error });
    if (code === 'rate_limited' || code === 'unavailable') reply.header('retry-after', secondsToWait(error));
    // Whatever was pipelined behind it is not answered: each refusal costs more than its request.
    if (code === 'rate_limited') reply.header('connection', 'close');
    const fields = error instanceof Refusal ? error.fields : undefined;
    reply.status(ERROR_TABLE[code].status).send(errorEnvelope(code, id, fields));
  }
}

const secondsToWait = (error: unknown): number =>
  (error instanceof Refusal && error.retryAfterSeconds) || RETRY_AFTER_SECONDS;

function codeOf(error: unknown): ErrorCode {
  if (error instanceof Refusal) return error.code;
  if (error instanceof HttpException) return FRAMEWORK_CODES[error.getStatus()] ?? 'internal_error';
  const { statusCode } = error as { statusCode?: unknown };
  if (typeof statusCode === 'number') return FRAMEWORK_CODES[statusCode] ?? 'internal_error';
  const { kind } = databaseFailure(error);
  return kind === 'unknown' || kind === 'retry' ? 'unavailable' : 'internal_error';
}
