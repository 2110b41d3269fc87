import { Logger } from '@nestjs/common';
import type { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import './request-state';

/** Not logged: probes ask every few seconds. */
const PROBES = '/health/';
const REFUSED_FROM = 400;
/** Of requests without a merchant: anybody can send thousands a second, and a line costs a fifth of such a refusal. */
const LINES_PER_SECOND = 100;

/**
 * Logs one line per request once it is answered: the route's pattern (never the URL, in which a caller may have put
 * anything), how it ended, how long it took, and the ids by which the other services' logs name it. Requests without a
 * merchant have `LINES_PER_SECOND` at most.
 */
export class RequestLog {
  private readonly log = new Logger('Http');

  private readonly withoutMerchant = { second: 0, lines: 0, left_out: 0 };

  constructor(private readonly which: 'all' | 'refused' | 'none') {}

  /** For a request that was shed: its route was never looked up. */
  writeShed(method: string | undefined, status: number, code: ErrorCode, request_id: string): void {
    if (this.which === 'none' || !this.hasLine()) return;
    this.log.log({ msg: 'request', method, status, code, request_id });
  }

  write(request: FastifyRequest, reply: FastifyReply): void {
    const { statusCode: status } = reply;
    if (this.which === 'none' || (this.which === 'refused' && status < REFUSED_FROM)) return;
    const route = routeOf(request);
    if (route?.startsWith(PROBES) || (!request.caller && !this.hasLine())) return;
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

  /** Whether a request without a merchant may have a line in this second; what had none is counted in the next second's first. */
  private hasLine(): boolean {
    const { withoutMerchant } = this;
    const second = Math.floor(performance.now() / 1_000);
    if (second !== withoutMerchant.second) {
      const { left_out } = withoutMerchant;
      if (left_out > 0) this.log.log({ msg: 'requests without a merchant had no line of their own', count: left_out });
      Object.assign(withoutMerchant, { second, lines: 0, left_out: 0 });
    }
    withoutMerchant.lines += 1;
    if (withoutMerchant.lines <= LINES_PER_SECOND) return true;
    withoutMerchant.left_out += 1;
    return false;
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
