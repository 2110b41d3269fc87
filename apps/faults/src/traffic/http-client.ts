/** A caller's side of one request: sent once, its time measured from the first byte asked to the last byte answered. */
import { Agent, request } from 'node:http';

export interface Attempt<Data = unknown> {
  /** Epoch milliseconds. */
  beganAt: number;
  ms: number;
  /** Undefined when no complete answer came: refused, reset, or nothing within the caller's own patience. */
  status: number | undefined;
  /** Of an error: its code; of a broken connection: what broke. */
  code: string | undefined;
  data: Data | undefined;
  /** How long to wait before asking again, where an answer says so. */
  retryAfterMs: number;
}

export interface Asked {
  method: 'GET' | 'POST';
  path: string;
  apiKey: string;
  body?: object;
  idempotencyKey?: string;
}

/** Beyond any deadline of the service: what takes longer has failed it, and nobody waits for ever. */
const PATIENCE_MS = 8_000;
/** The code of an attempt that ended with the caller's patience. */
export const NO_ANSWER = 'no answer';
const CONNECTIONS_MAX = 1_000;

interface Envelope {
  data?: unknown;
  code?: string;
}

export class HttpClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  private readonly base: URL;

  constructor(
    baseUrl: string,
    private readonly onAttempt: (attempt: Attempt, asked: Asked) => void,
  ) {
    this.base = new URL(baseUrl);
  }

  async send<Data>(asked: Asked): Promise<Attempt<Data>> {
    const beganAt = Date.now();
    const startedAt = performance.now();
    const outcome = await this.exchange<Data>(asked);
    const attempt = { beganAt, ms: performance.now() - startedAt, ...outcome };
    this.onAttempt(attempt, asked);
    return attempt;
  }

  close(): void {
    this.agent.destroy();
  }

  private exchange<Data>({ method, path, apiKey, body, idempotencyKey }: Asked) {
    const text = body && JSON.stringify(body);
    const headers = {
      'x-api-key': apiKey,
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const { hostname, port, pathname } = this.base;
    const target = { hostname, port, path: `${pathname}${path}`, method, headers, agent: this.agent };
    return new Promise<Omit<Attempt<Data>, 'beganAt' | 'ms'>>((done) => {
      const broken = (error: NodeJS.ErrnoException) =>
        done({ status: undefined, code: error.code ?? error.message, data: undefined, retryAfterMs: 0 });
      const sent = request(target, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', broken);
        response.on('end', () => {
          const envelope = parsed(Buffer.concat(parts).toString('utf8'));
          const retryAfterMs = Number(response.headers['retry-after'] ?? 0) * 1_000;
          done({ status: response.statusCode, code: envelope.code, data: envelope.data as Data, retryAfterMs });
        });
      });
      const timer = setTimeout(() => sent.destroy(new Error(NO_ANSWER)), PATIENCE_MS);
      sent.on('close', () => clearTimeout(timer));
      sent.on('error', broken);
      sent.end(text);
    });
  }
}

function parsed(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return { code: 'not_json' };
  }
}
