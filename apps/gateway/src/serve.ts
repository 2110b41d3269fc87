import type { Readable } from 'node:stream';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Readiness } from '@stablecoin/service-host/operations/readiness';
import { ConfigurationError } from '@stablecoin/service-host/setting';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ErrorFilter } from './http/error.filter';
import { ChunkedBody } from './http/chunk-sizes';
import { ApiKeys } from './authentication/api-keys';
import { RateLimits } from './authentication/rate-limits';
import { GatewayConfiguration } from './gateway.configuration';
import { Health } from './http/health';
import { PublicPages } from './pages/public-pages';
import { BODY_LIMIT_BYTES, DOCUMENTS_BODY_LIMIT_BYTES, FILE_BODY_LIMIT_BYTES } from './http/adapter';
import { ClientAddresses } from './http/client-addresses';
import { boundConnections } from './http/connections';
import { answerExpectations } from './http/expectations';
import { lingerOnClose } from './http/lingering-close';
import { ArrivingBody } from './documents/arriving-body';
import { BodyShares, heldBytesMaxOf } from './documents/body-shares';
import { DocumentForms } from './documents/document-forms';
import { LargeJsonBodies } from './documents/large-json-bodies';
import { Admission } from './admission/admission';
import { readConnectionsInTurns } from './admission/connection-turns';
import { LoadShedder } from './admission/load-shedder';
import { NoStrayQuery } from './routes/input';
import { DOCUMENTS_JSON_BOUNDS, isUtf8Type, JSON_BOUNDS, parseJsonBody } from '@stablecoin/http-answers/json-body';
import { observeRequests } from '@stablecoin/http-answers/observed-requests';
import { InFlightLimiter } from './admission/in-flight-limiter';
import { RequestLog } from './http/request-log';
import { costOfAnswer } from './admission/request-cost';
import { scheduleRequests } from './admission/request-scheduler';
import './http/request-state';

const CONNECTIONS_MAX = 10_000;
/** Connections that wait to be accepted. The kernel drops further attempts; callers repeat them after seconds. */
const ACCEPT_QUEUE_MAX = 4_096;

/** Sets the server up and listens; returns its origin. admission/admission.ts lists the checks of a request. */
export async function serve(app: NestFastifyApplication, configuration: GatewayConfiguration): Promise<string> {
  const fastify = app.getHttpAdapter().getInstance();
  app.setGlobalPrefix('api');
  app.useGlobalFilters(new ErrorFilter());
  app.useGlobalGuards(new NoStrayQuery());
  observeRequests(fastify);
  const requestLog = new RequestLog(configuration.logRequests);
  addHooks(fastify, app.get(Admission), requestLog);
  // Only the bodies below: every other one is answered 415.
  fastify.removeAllContentTypeParsers();
  addDocumentBodies(fastify, app.get(BodyShares), app.get(DocumentForms));
  addChargeHook(fastify, app.get(RateLimits));
  addReleaseHook(fastify, app.get(InFlightLimiter), app.get(Readiness));
  addBodyParser(fastify, app.get(LargeJsonBodies));
  app.get(Health).serve(fastify);
  const addresses = app.get(ClientAddresses);
  const apiUrl = () => configuration.publicApiUrl ?? `${originOf(fastify, configuration.host)}/api`;
  await PublicPages.serve(fastify, addresses, apiUrl);
  await app.init();
  readConnectionsInTurns(fastify.server, addresses);
  const connections = boundConnections(fastify.server, addresses, {
    connectionsMax: CONNECTIONS_MAX,
    perAddressMax: configuration.connectionsPerAddressMax,
  });
  lingerOnClose(fastify.server, BODY_LIMIT_BYTES);
  answerExpectations(fastify.server);
  const shedder = new LoadShedder(app.get(InFlightLimiter), app.get(Readiness), requestLog);
  scheduleRequests(fastify.server, shedder, { addresses, keys: app.get(ApiKeys), onFlood: connections.keepOut });
  await listen(fastify, configuration);
  return originOf(fastify, configuration.host);
}

function addHooks(fastify: FastifyInstance, admission: Admission, requestLog: RequestLog): void {
  fastify.decorateRequest('caller', undefined);
  fastify.decorateRequest('command', undefined);
  fastify.decorateRequest('budgetMs', 0);
  fastify.decorateRequest('inputHash', undefined);
  fastify.decorateRequest('bodyShare', undefined);
  fastify.decorateRequest('isInFlight', false);
  fastify.decorateRequest('refusedWith', undefined);
  fastify.decorateRequest('fullService', undefined);
  fastify.addHook('onRoute', (route) => {
    if (route.config?.takesDocuments) route.bodyLimit = DOCUMENTS_BODY_LIMIT_BYTES;
    if (route.config?.takesFile) route.bodyLimit = FILE_BODY_LIMIT_BYTES;
    admission.paths.add(route.method, route.url);
  });
  fastify.addHook('onRequest', (request, reply) => admission.admit(request, reply));
  fastify.addHook('preHandler', (request, reply, done) => admission.prepare(request, reply, done));
  fastify.addHook('onResponse', (request, reply, done) => {
    requestLog.write(request, reply);
    done();
  });
}

/** What an answer cost beyond its request's own cost is taken from its caller's rate once it is made. */
function addChargeHook(fastify: FastifyInstance, rateLimits: RateLimits): void {
  fastify.addHook('onSend', ({ caller }, _reply, payload, done) => {
    const cost = typeof payload === 'string' ? costOfAnswer(payload.length) : 0;
    if (caller && cost > 0) rateLimits.charge(caller, cost);
    done();
  });
}

/**
 * Gives the request's slot back once its answer is made. While the gateway drains, each answer also ends its connection:
 * the caller opens the next one to another instance, and the server closes none under a request on its way.
 */
function addReleaseHook(fastify: FastifyInstance, limiter: InFlightLimiter, readiness: Readiness): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    limiter.release(request);
    request.bodyShare?.close();
    if (readiness.draining) reply.header('connection', 'close');
    done();
  });
}

/**
 * Bodies as they arrive: no chunks of hardly anything; with documents, a bounded share of memory and a pace for each, and
 * forms, which are read meanwhile.
 */
function addDocumentBodies(fastify: FastifyInstance, shares: BodyShares, forms: DocumentForms): void {
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    const { caller, headers, raw, routeOptions } = request;
    const { takesDocuments, takesFile } = routeOptions.config;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!caller || !hasBody || !(takesDocuments || takesFile)) {
      done(null, headers['transfer-encoding'] === undefined ? payload : new ChunkedBody(raw));
      return;
    }
    try {
      request.bodyShare = shares.open(caller.merchant_id, heldBytesMaxOf(request));
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, new ArrivingBody(raw, request.bodyShare, routeOptions.bodyLimit));
  });
  fastify.addContentTypeParser('multipart/form-data', (request: FastifyRequest, payload: Readable) =>
    forms.read(request, payload),
  );
}

/** Accepts JSON in UTF-8; any other body is answered 415. */
function addBodyParser(fastify: FastifyInstance, largeBodies: LargeJsonBodies): void {
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: string | Buffer) => {
      const bytes = body as Buffer;
      const isTaken = isUtf8Type(request.headers['content-type']) && !request.routeOptions.config.takesFile;
      if (!isTaken) throw new Refusal('unsupported_media_type');
      if (bytes.length > BODY_LIMIT_BYTES) return largeBodies.read(request, bytes);
      return parseJsonBody(bytes, request.routeOptions.config.takesDocuments ? DOCUMENTS_JSON_BOUNDS : JSON_BOUNDS);
    },
  );
}

/** Listens without Nest, which would log an error that is reported here in one sentence. */
async function listen(fastify: FastifyInstance, { host, port }: GatewayConfiguration): Promise<void> {
  try {
    await fastify.listen({ host, port, backlog: ACCEPT_QUEUE_MAX });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new ConfigurationError(
        `port ${port} on ${host} is taken: stop what listens there, or set PORT to another one.`,
      );
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new ConfigurationError(`it can't listen on ${host}, port ${port} (${code}): set HOST and PORT to others.`);
    }
    throw error;
  }
}

function originOf(fastify: FastifyInstance, host: string): string {
  const [address] = fastify.addresses();
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${address?.port}`;
}
