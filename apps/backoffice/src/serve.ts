import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { isUtf8Type, JSON_BOUNDS, parseJsonBody } from '@stablecoin/http-answers/json-body';
import { observeRequests } from '@stablecoin/http-answers/observed-requests';
import { ConfigurationError } from '@stablecoin/service-host/setting';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BackofficeConfiguration } from './backoffice.configuration';
import { serveConsole } from './http/console-files';
import { ConsoleOrigin } from './http/console-origin';
import { ErrorFilter } from './http/error.filter';
import { Health } from './http/health';
import { RequestSources } from './http/request-sources';
import { addSecurityHeaders } from './http/security-headers';

const CONNECTIONS_MAX = 1_000;

/**
 * Sets the server up and listens; returns its origin. A request passes, in this order: headers of the answer → origin of the
 * page → body in JSON → attempts of
 * who has not signed in (sessions/sign-in-attempts.ts) → session, role (sessions/session.guard.ts) → its controller.
 */
export async function serve(app: NestFastifyApplication, configuration: BackofficeConfiguration): Promise<string> {
  const fastify = app.getHttpAdapter().getInstance();
  const console = app.get(ConsoleOrigin);
  app.setGlobalPrefix('api');
  app.useGlobalFilters(new ErrorFilter());
  observeRequests(fastify);
  addSecurityHeaders(fastify, console);
  fastify.decorateRequest('session', undefined);
  fastify.decorateRequest('namedMerchant', undefined);
  fastify.addHook('onRequest', (request, _reply, done) => {
    console.require(request);
    done();
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson);
  app.get(Health).serve(fastify);
  await serveConsole(fastify, app.get(RequestSources));
  await app.init();
  fastify.server.maxConnections = CONNECTIONS_MAX;
  await listen(fastify, configuration);
  const origin = originOf(fastify, configuration);
  console.listensAt(origin);
  return origin;
}

async function readJson({ headers }: FastifyRequest, body: string | Buffer): Promise<unknown> {
  if (!isUtf8Type(headers['content-type'])) throw new Refusal('unsupported_media_type');
  return Promise.resolve(parseJsonBody(body as Buffer, JSON_BOUNDS));
}

async function listen(fastify: FastifyInstance, { host, port }: BackofficeConfiguration): Promise<void> {
  try {
    await fastify.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw error;
    throw new ConfigurationError(`it can't listen on ${host}, port ${port} (${code}): set HOST and PORT to others.`);
  }
}

function originOf(fastify: FastifyInstance, { host, consoleOrigin }: BackofficeConfiguration): string {
  const [address] = fastify.addresses();
  const isAll = host === '0.0.0.0' || host === '::';
  if (isAll && consoleOrigin === null)
    throw new ConfigurationError(
      'set CONSOLE_ORIGIN: on all addresses of the machine nothing else says how it is reached.',
    );
  // By its name on this machine: a device keeps passkeys for names.
  const reachable = isAll || host === '127.0.0.1' ? 'localhost' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${address?.port}`;
}
