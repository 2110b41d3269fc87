import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { ConfigurationError } from '../setting';

/**
 * A process's answers to its operators, over HTTP on a port of its own that no merchant reaches: `/live`, `/ready`, and
 * other registered routes (`/metrics`). It listens before anything else starts and closes after everything else, so
 * that a service which waits for its broker, or drains, still answers.
 *
 * Node's own server, because every process but the gateway has no HTTP framework and needs none for a handful of GETs
 * without parameters, bounded in time, size and connections.
 */
export interface OperationsAnswer {
  status: number;
  contentType: string;
  body: string;
}

export type OperationsRoute = () => OperationsAnswer | Promise<OperationsAnswer>;

const CONNECTIONS_MAX = 64;
const HEADER_BYTES_MAX = 8 * 1024;
const REQUEST_TIMEOUT_MS = 5_000;

export class OperationsServer {
  private readonly log = new Logger(OperationsServer.name);
  private readonly routes = new Map<string, OperationsRoute>();
  private server: Server | undefined;

  /** Answers GET and HEAD of exactly this path. Also after `listen`. */
  route(path: string, answer: OperationsRoute): void {
    if (this.routes.has(path)) throw new Error(`${path} is answered already`);
    this.routes.set(path, answer);
  }

  /** @returns the base URL, with the port that was free where 0 was asked for */
  async listen(host: string, port: number): Promise<string> {
    const options = { maxHeaderSize: HEADER_BYTES_MAX, requestTimeout: REQUEST_TIMEOUT_MS };
    const server = createServer(options, (request, response) => void this.answer(request, response));
    server.maxConnections = CONNECTIONS_MAX;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(refusedToListen(host, port, error)));
      server.listen(port, host, () => resolve());
    });
    server.on('error', (error) => this.log.error(error.message));
    this.server = server;
    const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    const name = reachable.includes(':') ? `[${reachable}]` : reachable;
    return `http://${name}:${(server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, contentType, body } = await this.answerOf(request);
    const headers = {
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    };
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
  }

  private async answerOf(request: IncomingMessage): Promise<OperationsAnswer> {
    const [path] = (request.url ?? '').split('?', 1);
    const route = this.routes.get(path ?? '');
    if (!route) return json(404, { paths: [...this.routes.keys()].sort() });
    if (request.method !== 'GET' && request.method !== 'HEAD') return json(405, { methods: ['GET', 'HEAD'] });
    try {
      return await route();
    } catch (error) {
      this.log.error({ msg: `${path} failed`, err: error });
      return json(500, {});
    }
  }
}

export function json(status: number, value: object): OperationsAnswer {
  return { status, contentType: 'application/json; charset=utf-8', body: `${JSON.stringify(value)}\n` };
}

function refusedToListen(host: string, port: number, error: NodeJS.ErrnoException): Error {
  const where = `it can't listen on ${host}, port ${port} (${error.code})`;
  return new ConfigurationError(`${where}: set OPERATIONS_HOST and OPERATIONS_PORT to others.`);
}
