import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readiness } from '@stablecoin/service-host/operations/readiness';
import { errorEnvelope } from '../errors/error-envelope';
import { ERROR_TABLE } from '../errors/error-table';
import { requestId } from '../http/adapter';
import { observeRefusal } from '../http/observed-requests';
import { RequestLog } from '../http/request-log';
import { InFlightLimiter } from './in-flight-limiter';
import { Door } from './request-scheduler';

/** As many as are begun within a fraction of a second. */
const WAITING_MAX = 256;
const RETRY_AFTER_SECONDS = 1;

/** Refuses, in the usual envelope, before anything is done for a request: no route is looked for, no hook runs. */
export class LoadShedder implements Door {
  constructor(
    private readonly underWay: InFlightLimiter,
    private readonly readiness: Readiness,
    private readonly log: RequestLog,
  ) {}

  /** What has no key, health among it, is never refused here. */
  mustShed({ method, url = '' }: IncomingMessage, waiting: number): boolean {
    const path = url.split('?', 1)[0] as string;
    if (!path.startsWith('/api/')) return false;
    return waiting >= WAITING_MAX || !this.underWay.hasRoomFor(`${method} ${path}`);
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
    this.log.tellRefusal(request.method, ERROR_TABLE.unavailable.status, 'unavailable', id);
  }
}
