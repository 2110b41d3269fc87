import { Logger } from '@nestjs/common';
import type { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import './request-state';

/** Not logged: probes ask every few seconds. */
const PROBES = '/health/';
const REFUSED_FROM = 400;

/**
 * Logs one line per request once it is answered: the route's pattern (never the URL, in which a caller may have put
 * anything), how it ended, how long it took, and the ids by which the other services' logs name it.
 */
export class RequestLog {
  private readonly log = new Logger('Http');

  constructor(private readonly which: 'all' | 'refused' | 'none') {}

  /** For a request that was shed: its route was never looked up. */
  writeShed(method: string | undefined, status: number, code: ErrorCode, request_id: string): void {
    if (this.which !== 'none') this.log.log({ msg: 'request', method, status, code, request_id });
  }

  write(request: FastifyRequest, reply: FastifyReply): void {
    const { statusCode: status } = reply;
    if (this.which === 'none' || (this.which === 'refused' && status < REFUSED_FROM)) return;
    const route = routeOf(request);
    if (route?.startsWith(PROBES)) return;
    const duration_ms = Math.round(reply.elapsedTime * 10) / 10;
    this.log.log({
      msg: 'request',
      method: request.method,
      route,
      status,
      code: request.refusedWith,
      duration_ms,
      ...idsOf(request),
    });
  }
}

/** Undefined, whatever Fastify's types say, for a request that failed before its route was looked up. */
export const routeOf = ({ routeOptions }: { routeOptions?: FastifyRequest['routeOptions'] }): string | undefined =>
  routeOptions?.url;

export const idsOf = ({ id, caller, command }: FastifyRequest) => ({
  request_id: id,
  merchant_id: caller?.merchant_id,
  command_id: command?.ids.command_id,
});
