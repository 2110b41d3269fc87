import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { answerClientError } from './client-errors';

const HEADER_BYTES_MAX = 32 * 1024;
/** From when a connection is open, or its next request begins, until its head has arrived. */
const HEADERS_TIMEOUT_MS = 5_000;
/** Until its body has arrived. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How often connections are looked at for both. */
const TIMEOUTS_CHECKED_EVERY_MS = 1_000;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
/** A path without a route. */
const UNROUTED_PATH = '/api/-';

export const BODY_LIMIT_BYTES = 100 * 1024;
/** For routes of customers, whose bodies hold documents. */
export const DOCUMENTS_BODY_LIMIT_BYTES = 15 * 1024 * 1024;
/** A document of 5 MiB, and the form around it. */
export const FILE_BODY_LIMIT_BYTES = 5 * 1024 * 1024 + 64 * 1024;

/** Fastify with every limit explicit, answering in our envelope where it would use a format of its own. */
export function createAdapter(): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
    },
    // Longer than any URL: the router answers a longer parameter itself, before the checks in their order.
    routerOptions: { maxParamLength: HEADER_BYTES_MAX },
    requestIdHeader: false,
    genReqId: requestId,
    rewriteUrl,
    // While it stops, requests on open connections are still answered, each with `connection: close`.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
    // Nest's middleware, which nothing here uses, costs each request a hook.
    skipMiddie: true,
  });
}

export function requestId(request: { headers: IncomingMessage['headers'] }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** The router answers a path that it can't decode itself, before any check; such a path becomes one without a route. */
function rewriteUrl(request: { url?: string | undefined }): string {
  const url = request.url ?? '/';
  const [path] = url.split('?', 1) as [string];
  return !path.includes('%') || isDecodable(path) ? url : UNROUTED_PATH;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
