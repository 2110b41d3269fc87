/**
 * A load balancer as small as can be: it asks each backend whether it is ready, sends what comes to those that are, in
 * turns, over connections that stay open, and sends nothing twice. A connection that breaks is the caller's 502.
 */
import { Agent, createServer, get, IncomingMessage, request, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 100;
const LOOK_TIMEOUT_MS = 2_000;

interface Backend {
  origin: string;
  agent: Agent;
  ready: boolean;
}

export class Balancer {
  private readonly backends = new Map<string, Backend>();
  private server: Server | undefined;
  private stopped = false;
  private looking: Promise<void> = Promise.resolve();
  private turn = 0;

  async start(): Promise<string> {
    const server = createServer((incoming, outgoing) => this.pass(incoming, outgoing));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    this.server = server;
    this.looking = this.keepLooking();
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  add(origin: string): void {
    this.backends.set(origin, { origin, agent: new Agent({ keepAlive: true }), ready: false });
  }

  remove(origin: string): void {
    this.backends.get(origin)?.agent.destroy();
    this.backends.delete(origin);
  }

  isReady(origin: string): boolean {
    return this.backends.get(origin)?.ready ?? false;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.looking;
    const { server } = this;
    await new Promise((closed) => (server ? (server.close(closed), server.closeAllConnections()) : closed(undefined)));
    this.backends.forEach(({ agent }) => agent.destroy());
  }

  private async keepLooking(): Promise<void> {
    while (!this.stopped) {
      await Promise.all([...this.backends.values()].map(async (backend) => (backend.ready = await isReady(backend))));
      await delay(LOOK_MS);
    }
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const ready = [...this.backends.values()].filter((backend) => backend.ready);
    const backend = ready[this.turn++ % ready.length];
    if (!backend) return refuse(outgoing, 'no backend is ready');
    const { method, url, headers } = incoming;
    const options = { method, headers: { ...headers, connection: 'keep-alive' }, agent: backend.agent };
    const passed = request(`${backend.origin}${url}`, options, (answer) => {
      const { connection: _hop, ...onward } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, onward);
      answer.pipe(outgoing);
    });
    passed.on('error', (error) => refuse(outgoing, `${backend.origin}: ${error.message}`));
    incoming.pipe(passed);
  }
}

function isReady({ origin }: Backend): Promise<boolean> {
  return new Promise((told) => {
    const asked = get(`${origin}/health/ready`, { timeout: LOOK_TIMEOUT_MS }, (answer) => {
      answer.resume();
      told(answer.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => told(false));
  });
}

/** In no words of the service: whoever reads it knows where it comes from. */
function refuse(outgoing: ServerResponse, why: string): void {
  if (!outgoing.headersSent) outgoing.writeHead(502, { 'content-type': 'text/plain' });
  outgoing.end(why);
}
