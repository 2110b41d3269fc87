import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readiness } from '@stablecoin/service-host/operations/readiness';
import { errorEnvelope } from '@stablecoin/http-answers/error-envelope';
import { ERROR_TABLE } from '@stablecoin/http-answers/error-table';
import { requestId } from '../http/adapter';
import { observeRefusal } from '@stablecoin/http-answers/observed-requests';
import { RequestLog } from '../http/request-log';
import { InFlightLimiter } from './in-flight-limiter';

/** As many as are started within a fraction of a second. */
const QUEUED_MAX = 512;
const RETRY_AFTER_SECONDS = 1;

/** Refuses a request, in the usual envelope, before any work on it: no route is looked up, no hook runs. */
export class LoadShedder {
  constructor(
    private readonly limiter: Pick<InFlightLimiter, 'hasSlotFor'>,
    private readonly readiness: Readiness,
    private readonly log: RequestLog,
  ) {}

  /**
   * Whether there is no capacity for the request. Requests that need no key, such as health checks, are never shed.
   *
   * @param queued how many requests have been read and not started yet, of which its caller has its part: they come first, and
   *   what room there is when they have begun is decided now
   */
  mustShed({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>, queued: number): boolean {
    const [path = ''] = url.split('?', 1);
    if (!path.startsWith('/api/')) return false;
    return queued >= QUEUED_MAX || !this.limiter.hasSlotFor(`${method} ${path}`, queued);
  }

  refuse(request: IncomingMessage, response: ServerResponse): void {
    const id = requestId(request);
    const body = JSON.stringify(errorEnvelope('unavailable', id));
    response.writeHead(ERROR_TABLE.unavailable.status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-request-id': id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'retry-after': String(RETRY_AFTER_SECONDS),
      'x-outcome': 'none',
      ...(this.readiness.draining && { connection: 'close' }),
    });
    response.end(body);
    observeRefusal('unavailable', ERROR_TABLE.unavailable.status);
    this.log.writeShed(request.method, ERROR_TABLE.unavailable.status, 'unavailable', id);
  }
}
