/**
 * A witness of c2sp.org/tlog-witness, which cosigns the checkpoints of logs that it was told of, and of each only what extends what
 * it cosigned before. It needs no database, no bus and no framework, so that an operator, or somebody else, runs it elsewhere.
 *
 * | request                      | answer                                                                                  |
 * |------------------------------|-----------------------------------------------------------------------------------------|
 * | `POST /add-checkpoint`       | 200 a cosignature; 400, 403, 404, 409 with the size that it has, 422: nothing is signed |
 * | `GET /<origin hash>/checkpoint` | the newest checkpoint of a log, cosigned; 404                                        |
 * | `GET /<origin hash>/refused` | signed checkpoints that it has not taken, as JSON                                       |
 * | `GET /origins`               | the logs that it has seen, as JSON                                                      |
 * | `GET /health`                | 200 while its directory can be written to, else 503                                     |
 */
import { createServer, IncomingMessage, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { shardOf } from '@stablecoin/event-proofs/checkpoint';
import { Cosigner, originHash } from '@stablecoin/event-proofs/cosignature';
import { parseWitnessRequest } from '@stablecoin/event-proofs/witness-request';
import { BookRefusal, WitnessBook } from '@stablecoin/witness/witness-book';
import { TrustedLog } from './witness.configuration';

/** A proof has at most 63 hashes, a checkpoint some signatures: this is several times as much. */
const BODY_BYTES_MAX = 16 * 1_024;
const REQUEST_MS = 10_000;
const CONNECTIONS_MAX = 256;

export interface WitnessServerOptions {
  name: string;
  key: Buffer;
  directory: string;
  logs: readonly TrustedLog[];
  now?: () => Date;
  /** What happened, one object each: for the log of the process. */
  tell?: (event: object) => void;
}

interface Answer {
  status: number;
  body: string;
  type?: string;
}

const STATUS: Readonly<Record<BookRefusal, number>> = {
  malformed: 400,
  unknown_log: 404,
  not_signed: 403,
  other_root: 409,
  inconsistent: 422,
};

export class WitnessServer {
  readonly cosigner: Cosigner;
  private readonly book: WitnessBook;
  private readonly server: Server;

  constructor(private readonly options: WitnessServerOptions) {
    const { name, key, directory, logs, now = () => new Date() } = options;
    this.cosigner = new Cosigner(name, key);
    this.book = new WitnessBook({
      directory,
      now,
      keysOf: (origin) => keysOf(logs, origin),
      completed: (note) => note + this.cosigner.cosign(note, now()),
    });
    this.server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
      void this.answer(request).then(({ status, body, type = 'text/plain; charset=utf-8' }) => {
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
      });
    });
    this.server.maxConnections = CONNECTIONS_MAX;
  }

  /** @returns its URL */
  async listen(host: string, port: number): Promise<string> {
    await this.book.check();
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, host, resolve);
    });
    return `http://${host}:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeIdleConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    try {
      return await this.route(request);
    } catch (error) {
      this.options.tell?.({ msg: 'a request failed', problem: (error as Error).message });
      return { status: 503, body: 'unavailable\n' };
    }
  }

  private async route(request: IncomingMessage): Promise<Answer> {
    const { method, url = '/' } = request;
    if (method === 'POST' && url === '/add-checkpoint') return this.add(request);
    if (method !== 'GET') return { status: 405, body: 'method not allowed\n' };
    if (url === '/health') return this.health();
    if (url === '/origins') return json(await this.book.origins());
    const [, hash, what] = /^\/([0-9a-f]{64})\/(checkpoint|refused)$/.exec(url) ?? [];
    const origin = hash && (await this.book.origins()).find((one) => originHash(one) === hash);
    if (!origin) return { status: 404, body: 'not found\n' };
    if (what === 'refused') return json(await this.book.refused(origin));
    const note = await this.book.newest(origin);
    return note === undefined ? { status: 404, body: 'not found\n' } : { status: 200, body: note };
  }

  private async add(request: IncomingMessage): Promise<Answer> {
    const body = await bodyOf(request);
    const asked = body === undefined ? undefined : parseWitnessRequest(body);
    if (!asked) return { status: 400, body: 'malformed\n' };
    const answered = await this.book.submit(asked);
    switch (answered.answer) {
      case 'taken':
        return { status: 200, body: answered.note.slice(asked.note.length) };
      case 'other_size':
        return sizeAnswer(answered.size);
      case 'refused': {
        const { why, problem } = answered;
        this.options.tell?.({ msg: 'a checkpoint was refused', why, problem });
        if (why === 'other_root') return sizeAnswer(answered.size);
        return { status: STATUS[why], body: `${why}\n` };
      }
      default:
        return answered satisfies never;
    }
  }

  private async health(): Promise<Answer> {
    const fault = await this.book.check().catch((error: unknown) => (error as Error).message);
    return fault === undefined ? { status: 200, body: 'ok\n' } : { status: 503, body: 'its directory takes nothing\n' };
  }
}

const json = (value: unknown): Answer => ({ status: 200, body: JSON.stringify(value), type: 'application/json' });
const sizeAnswer = (size: number): Answer => ({ status: 409, body: `${size}\n`, type: 'text/x.tlog.size' });

/** Of the logs of a ledger's shards, which are named after it. */
function keysOf(logs: readonly TrustedLog[], origin: string) {
  const shard = shardOf(origin);
  return logs
    .filter(({ ledger }) => shard !== undefined && origin === `${ledger}/shard/${shard}`)
    .map(({ key }) => key);
}

/** Undefined when it is longer than any request needs. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
