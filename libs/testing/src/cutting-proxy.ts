/**
 * A proxy that loses requests and answers as a bad line does, each at the place that a seed draws:
 *
 *   pass               the request and its answer go through
 *   before-it-is-sent  the caller's connection breaks; the service never saw the request
 *   while-it-runs      the service has the request; the caller's connection breaks before the answer is there
 *   before-the-answer  the service has answered; nothing of it reaches the caller
 *   in-the-answer      half of the answer reaches the caller
 *
 * It sends nothing twice: whatever arrives twice at the service, the caller sent twice.
 */
import { Agent, createServer, IncomingMessage, request, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { Drawing } from './drawing';

const CUTS = ['before-it-is-sent', 'while-it-runs', 'before-the-answer', 'in-the-answer'] as const;
export type Fate = 'pass' | (typeof CUTS)[number];

export interface CuttingProxyOptions {
  seed: number;
  /** How many of ten requests are cut. */
  cutsOfTen: number;
}

export class CuttingProxy {
  /** How many requests had which fate. */
  readonly fates = new Map<Fate, number>();
  private readonly agent = new Agent({ keepAlive: true });
  private readonly drawing: Drawing;
  private readonly server: Server;

  private constructor(
    private readonly target: URL,
    private readonly options: CuttingProxyOptions,
  ) {
    this.drawing = new Drawing(options.seed);
    this.server = createServer((incoming, outgoing) => void this.take(incoming, outgoing));
  }

  /** @param url of the API behind it */
  static async inFrontOf(url: string, options: CuttingProxyOptions): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(new URL(url), options);
    await new Promise<void>((listening) => proxy.server.listen(0, '127.0.0.1', listening));
    return proxy;
  }

  /** The URL of the API through the proxy. */
  get url(): string {
    const through = new URL(this.target);
    through.port = String((this.server.address() as AddressInfo).port);
    return through.href;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
    this.agent.destroy();
  }

  private draw(): Fate {
    const fate = this.drawing.below(10) < this.options.cutsOfTen ? this.drawing.oneOf(CUTS) : 'pass';
    this.fates.set(fate, (this.fates.get(fate) ?? 0) + 1);
    return fate;
  }

  private async take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fate = this.draw();
    const body = await wholeOf(incoming);
    if (fate === 'before-it-is-sent') return void incoming.socket.resetAndDestroy();
    const answering = this.forward(incoming, body);
    if (fate === 'while-it-runs') incoming.socket.resetAndDestroy();
    const { answer, content } = await answering;
    if (fate === 'while-it-runs') return;
    if (fate === 'before-the-answer') return void incoming.socket.resetAndDestroy();
    outgoing.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
    if (fate === 'pass') outgoing.end(content);
    else outgoing.write(content.subarray(0, content.length / 2), () => incoming.socket.resetAndDestroy());
  }

  /** The request as it came, less the connection's own headers. */
  private forward(incoming: IncomingMessage, body: Buffer): Promise<{ answer: IncomingMessage; content: Buffer }> {
    const { connection: _, 'transfer-encoding': __, ...headers } = incoming.headers;
    const { hostname, port } = this.target;
    const options = { hostname, port, method: incoming.method, path: incoming.url, agent: this.agent };
    return new Promise((answered, failed) => {
      const sent = request({ ...options, headers: { ...headers, 'content-length': body.length } });
      sent.on('error', failed);
      sent.on('response', (answer) => {
        wholeOf(answer).then((content) => answered({ answer, content }), failed);
      });
      sent.end(body);
    });
  }
}

async function wholeOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
