import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { eventually } from './eventually';

/** One request that arrived, as it came. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  /** `webhook-id`. */
  id: string;
  /** The body, if it is JSON. */
  event: { id: string; type: string; created_at: string; sequence: number; data: Record<string, unknown> };
  at: number;
}

type Answer = number | ((response: ServerResponse, received: Received) => void);

/** A merchant's own server: keeps what arrives and answers as the test has set, by default with 204. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  answer: Answer = 204;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => void receiver.take(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Those that came to one path. */
  at(path: string): Received[] {
    return this.received.filter((received) => received.path === path);
  }

  /** Waits until at least `count` have come to the path, and gives all of them. */
  async atLeast(count: number, path = '/', timeoutMs = 10_000): Promise<Received[]> {
    const enough = () => this.at(path).length >= count;
    await eventually(`${count} deliveries to ${path}`, enough, { timeoutMs });
    return this.at(path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const event = JSON.parse(text) as Received['event'];
    const id = String(request.headers['webhook-id']);
    const received = { path: request.url ?? '', headers: request.headers, text, id, event, at: Date.now() };
    this.received.push(received);
    const { answer } = this;
    if (typeof answer === 'number') response.writeHead(answer).end();
    else answer(response, received);
  }
}

/**
 * What a receiver does to be sure of the sender, written from the specification (Standard Webhooks 1.0.0) and not from
 * our code: which of the signatures, in their order, fit the secret.
 */
export function fittingSignatures({ headers, text }: Received, secret: string): boolean[] {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
  const expected = createHmac('sha256', key).update(signed).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => {
      const [version, given = ''] = signature.split(',');
      const bytes = Buffer.from(given, 'base64');
      return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
    });
}
