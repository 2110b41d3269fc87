import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { answerClientError } from './client-errors';

const HEADER_BYTES_MAX = 32 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
/** A path that no route has. */
const NOWHERE = '/api/-';

export const BODY_LIMIT_BYTES = 100 * 1024;
/** For customers, whose documents come along. */
export const DOCUMENTS_BODY_LIMIT_BYTES = 15 * 1024 * 1024;

/** Fastify with every limit said; what its own defaults would answer in its own words comes out in ours. */
export function createAdapter(): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { maxHeaderSize: HEADER_BYTES_MAX },
    // Longer than any URL: a long parameter reaches the checks in their order instead of an answer of the router's own.
    routerOptions: { maxParamLength: HEADER_BYTES_MAX },
    requestIdHeader: false,
    genReqId: requestId,
    rewriteUrl,
    // While it stops, requests on connections that are open already are still answered, each with `connection: close`.
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

/** The router answers a path that can't be decoded by itself, before any check: it is sent to where nothing is. */
function rewriteUrl(request: { url?: string | undefined }): string {
  const url = request.url ?? '/';
  const [path] = url.split('?', 1) as [string];
  return !path.includes('%') || isDecodable(path) ? url : NOWHERE;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
