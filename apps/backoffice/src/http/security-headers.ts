import type { FastifyInstance } from 'fastify';
import type { ConsoleOrigin } from './console-origin';

/** Nothing from another host, no script and no style that stands in a page, and no frame around one. `data:` is for QR codes. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), publickey-credentials-get=(self)',
};
const TWO_YEARS_SECONDS = 63_072_000;

/** On every answer, refusals too; what /api answers is kept nowhere. */
export function addSecurityHeaders(fastify: FastifyInstance, console: ConsoleOrigin): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
    if (console.isEncrypted) reply.header('strict-transport-security', `max-age=${TWO_YEARS_SECONDS}`);
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
    done();
  });
}
