/**
 * A load balancer as small as can be: it asks each gateway for /health/ready, sends what comes to those that said yes, in
 * turns, over connections that stay open, and sends nothing twice. A connection that breaks is the caller's 502.
 */
import { Agent, createServer, get, IncomingMessage, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createProxyServer } from 'http-proxy-3';

const LOOK_EVERY_MS = 100;
const LOOK_TIMEOUT_MS = 2_000;

export class LoadBalancer {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly proxy = createProxyServer({ agent: this.agent });
  private readonly server: Server = createServer((incoming, outgoing) => this.pass(incoming, outgoing));
  private ready: readonly string[] = [];
  private stopped = false;
  private looking: Promise<void> = Promise.resolve();
  private turn = 0;

  /** @param origins the gateways that there are now, such as `http://127.0.0.1:3000` */
  constructor(private readonly origins: () => readonly string[]) {
    this.proxy.on('proxyRes', passOn);
  }

  /** @returns the origin under which callers reach the gateways, once each of these has been asked whether it is ready */
  async start(): Promise<string> {
    await new Promise<void>((listening) => this.server.listen(0, '127.0.0.1', listening));
    await this.look();
    this.looking = this.keepLooking();
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Whether requests are sent to this gateway now. */
  isReady(origin: string): boolean {
    return this.ready.includes(origin);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.looking;
    await new Promise((closed) => {
      this.server.close(closed);
      this.server.closeAllConnections();
    });
    this.agent.destroy();
  }

  private async keepLooking(): Promise<void> {
    while (!this.stopped) {
      await delay(LOOK_EVERY_MS);
      await this.look();
    }
  }

  private async look(): Promise<void> {
    const looked = await Promise.all(this.origins().map(async (origin) => ((await isReady(origin)) ? [origin] : [])));
    this.ready = looked.flat();
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const target = this.ready[this.turn++ % this.ready.length];
    if (target === undefined) refuse(outgoing, 'no gateway is ready');
    else this.proxy.web(incoming, outgoing, { target }, (error) => refuse(outgoing, `${target}: ${error.message}`));
  }
}

/** The balancer keeps its callers' connections open when a gateway closes its own, and ends those whose answer breaks off. */
function passOn(answer: IncomingMessage, _incoming: IncomingMessage, outgoing: ServerResponse): void {
  delete answer.headers.connection;
  answer.once('close', () => {
    if (!answer.complete) outgoing.destroy();
  });
}

function isReady(origin: string): Promise<boolean> {
  return new Promise((known) => {
    const asked = get(`${origin}/health/ready`, { timeout: LOOK_TIMEOUT_MS, agent: false }, (answer) => {
      answer.resume();
      known(answer.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => known(false));
  });
}

/** In no words of the service, so that a reader sees where it comes from. */
function refuse(outgoing: ServerResponse, why: string): void {
  if (!outgoing.headersSent) outgoing.writeHead(502, { 'content-type': 'text/plain' });
  outgoing.end(why);
}
