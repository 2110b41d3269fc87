// A key management service for tests: over HTTP it speaks what Vault's Transit engine speaks (OpenBao has the same), as far
// as encrypting, decrypting and keeping keys goes, with its sentences and statuses. Its keys are real.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { BatchItem, TransitError, TransitKeys } from './transit-keys';

const MOUNT = '/v1/transit/';
type Verb = 'encrypt' | 'decrypt';

/** What a token may do. */
export type TransitPolicy = readonly (Verb | 'keys')[];

/** What it does in place of its work. */
export interface TransitDisturbance {
  status?: number;
  /** Only the next so many requests are disturbed. */
  times?: number;
  text?: string;
  silent?: boolean;
}

export interface TransitOptions {
  tokens: Readonly<Record<string, TransitPolicy>>;
  /** Where the keys are kept; without it they end with the server. */
  file?: string;
  port?: number;
  tls?: ServerOptions;
}

export class TransitServer {
  readonly asked: { verb: string; items: number; authorization: string | undefined }[] = [];
  disturbance: TransitDisturbance = {};

  private constructor(
    readonly keys: TransitKeys,
    private readonly server: Server,
    private readonly tokens: TransitOptions['tokens'],
    private readonly scheme: 'http' | 'https',
  ) {}

  static async start({ tokens, file, port = 0, tls }: TransitOptions): Promise<TransitServer> {
    const server = tls ? createTlsServer(tls) : createServer();
    const transit = new TransitServer(new TransitKeys(file), server, tokens, tls ? 'https' : 'http');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      transit.answer(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((listening, failed) => {
      server.once('error', failed);
      server.listen(port, '127.0.0.1', listening);
    });
    return transit;
  }

  /** Of the mount, as PERSONAL_DATA_TRANSIT_URL wants it. */
  get url(): string {
    return `${this.scheme}://127.0.0.1:${this.port}${MOUNT.slice(0, -1)}`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((closed) => this.server.close(() => closed()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse((await bodyOf(request)) || '{}') as Record<string, unknown>;
    const path = new URL(request.url ?? '', 'http://transit').pathname;
    const [verb = '', name = '', action = ''] = path.startsWith(MOUNT)
      ? path.slice(MOUNT.length).split('/').map(decodeURIComponent)
      : [];
    const items = (body['batch_input'] as BatchItem[] | undefined) ?? [];
    this.asked.push({ verb, items: items.length, authorization: request.headers.authorization });
    const { status, text, silent, times = Infinity } = this.disturbance;
    if (times > 0 && (status !== undefined || text !== undefined || silent)) {
      this.disturbance.times = times - 1;
      if (!silent) response.writeHead(status ?? 200).end(text ?? JSON.stringify({ errors: ['Vault is sealed'] }));
      return;
    }
    const answered = this.answerTo({ verb, name, action, body, items, authorization: request.headers.authorization });
    response
      .writeHead(answered.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(answered.body ?? {}));
  }

  private answerTo(asked: {
    verb: string;
    name: string;
    action: string;
    body: Record<string, unknown>;
    items: BatchItem[];
    authorization: string | undefined;
  }): { status: number; body?: object } {
    const { verb, name, action, body, items } = asked;
    const token = /^Bearer (.+)$/.exec(asked.authorization ?? '')?.[1] ?? '';
    if (!['encrypt', 'decrypt', 'keys'].includes(verb)) return failed(404, `no handler for route "transit/${verb}"`);
    if (!this.tokens[token]?.some((allowed) => allowed === verb)) return failed(403, 'permission denied');
    if (verb === 'keys') return this.changeKey(name, action, body);
    if (!this.keys.has(name)) return failed(400, 'encryption key not found');
    const results = items.map((item) => this.resultOf(verb as Verb, name, item));
    const isBad = results.some((result) => 'error' in result);
    return { status: isBad ? 400 : 200, body: { data: { batch_results: results } } };
  }

  private resultOf(verb: Verb, name: string, item: BatchItem): object {
    try {
      return verb === 'encrypt' ? this.keys.encrypt(name, item) : this.keys.decrypt(name, item);
    } catch (error) {
      if (!(error instanceof TransitError)) throw error;
      // A failed item has an empty plaintext beside its error, as Vault's has.
      return { ...(verb === 'decrypt' && { plaintext: '' }), error: error.message };
    }
  }

  private changeKey(name: string, action: string, body: Record<string, unknown>) {
    if (action === '') this.keys.create(name, body);
    else if (action === 'rotate') this.keys.rotate(name);
    else if (action === 'config') this.keys.configure(name, body);
    else return failed(404, 'no handler for route');
    return { status: 204 };
  }
}

const failed = (status: number, error: string) => ({ status, body: { errors: [error] } });

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
