import { Logger } from '@nestjs/common';
import type { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import './request-state';

/** Asked every few seconds by whoever watches the process, and of no interest afterwards. */
const PROBES = '/health/';
const REFUSED_FROM = 400;

/**
 * One line per request, once it is answered: what was asked for by the route's pattern (never the URL, in which callers
 * put anything), how it ended, how long it took, and the ids by which it is found in the other services' logs.
 */
export class RequestLog {
  private readonly log = new Logger('Http');

  constructor(private readonly which: 'all' | 'refused' | 'none') {}

  /** Of one that nothing was done for: its route is not known. */
  tellRefusal(method: string | undefined, status: number, code: ErrorCode, request_id: string): void {
    if (this.which !== 'none') this.log.log({ msg: 'request', method, status, code, request_id });
  }

  tell(request: FastifyRequest, reply: FastifyReply): void {
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

export const routeOf = (request: FastifyRequest): string | undefined => request.routeOptions?.url;

export const idsOf = ({ id, caller, command }: FastifyRequest) => ({
  request_id: id,
  merchant_id: caller?.merchant_id,
  command_id: command?.ids.command_id,
});
