import { randomUUID } from 'node:crypto';
import { FastifyAdapter } from '@nestjs/platform-fastify';

const HEADER_BYTES_MAX = 16 * 1024;
const BODY_BYTES_MAX = 64 * 1024;
/** From when a connection is open, or its next request begins, until its head has arrived. */
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 15_000;
const TIMEOUTS_CHECKED_EVERY_MS = 1_000;

/** Fastify with every limit explicit. */
export function createAdapter(): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
    },
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    return503OnClosing: false,
    skipMiddie: true,
  });
}
