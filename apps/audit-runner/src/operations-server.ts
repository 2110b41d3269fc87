import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OperationsServerOptions {
  host: string;
  port: number;
  isReady: () => boolean;
}

/** `GET /live`: 200. `GET /ready`: 200 while the people database answers, else 503. */
export async function serveOperations({ host, port, isReady }: OperationsServerOptions): Promise<[Server, string]> {
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, ({ url }, response) => {
    const status = url === '/live' ? 200 : url !== '/ready' ? 404 : isReady() ? 200 : 503;
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify({ status: status === 200 ? 'ok' : 'not ready' }));
  });
  server.maxConnections = 16;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return [server, `http://${host}:${(server.address() as AddressInfo).port}`];
}
