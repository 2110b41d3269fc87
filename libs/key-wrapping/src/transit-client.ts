// The part of Vault's Transit engine (OpenBao has the same) that is used here, over HTTP:
//
//   POST <mount>/encrypt/<key>   authorization: Bearer <token>
//   {"batch_input":[{"plaintext":"<base64>","context":"<base64>","associated_data":"<base64>"}]}
//   200 {"data":{"batch_results":[{"ciphertext":"vault:v1:…"}]}}
//
//   POST <mount>/decrypt/<key>
//   {"batch_input":[{"ciphertext":"vault:v1:…","context":"<base64>","associated_data":"<base64>"}]}
//   200 {"data":{"batch_results":[{"plaintext":"<base64>"},{"error":"cipher: message authentication failed"}]}}
//
// A batch with a bad item is answered with 400, and its results stand there all the same. What has no results at all (no
// such key, no such mount, no permission) is a fault of the set-up: it says nothing about the items, and is never taken for
// a ciphertext that doesn't open. So even one item is sent as a batch.
//
// | phase | bound |
// |---|---|
// | calls of the same turn become one request | ITEMS_MAX items |
// | requests at once, the others wait for a connection | SOCKETS_MAX |
// | an attempt that fails quickly (no connection, 429, 5xx) is repeated | ATTEMPTS_MAX, the pauses of RETRY_AFTER_MS |
// | all attempts together, and the wait for a connection | `timeoutMs` |
// | after a failure everything is refused at once, but for one request as a probe every REFUSING_MS | |

import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import DataLoader from 'dataloader';

const ITEMS_MAX = 250;
const SOCKETS_MAX = 8;
const ATTEMPTS_MAX = 3;
const RETRY_AFTER_MS = 50;
const REFUSING_MS = 500;
/** Of a batch of ciphertexts, many times over. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const REASON_CHARACTERS_MAX = 200;

export interface TransitTls {
  ca: Buffer | undefined;
  cert: Buffer | undefined;
  key: Buffer | undefined;
}

export interface TransitServer {
  /** The mount: https://vault.internal:8200/v1/transit */
  url: string;
  key: string;
  token: string | null;
  timeoutMs: number;
  tls?: TransitTls;
}

type Verb = 'encrypt' | 'decrypt';

interface Item {
  /** A plaintext in base64, or a ciphertext. */
  text: string;
  /** What the ciphertext is bound to. */
  context: string;
}

/** One item can't be opened; the service has answered. */
export class TransitItemRefused extends Error {}

/** It answered that it won't: another attempt would end alike. */
class TransitRefused extends Error {}

export class TransitClient {
  private readonly log = new Logger(TransitClient.name);
  private readonly agent: HttpAgent;
  private readonly send: typeof httpRequest;
  private refusingUntil = 0;
  private isAway = false;
  private readonly encryptions = this.batched('encrypt');
  private readonly decryptions = this.batched('decrypt');

  constructor(private readonly server: TransitServer) {
    const options = { keepAlive: true, maxSockets: SOCKETS_MAX, scheduling: 'lifo' as const };
    const isSecure = new URL(server.url).protocol === 'https:';
    this.agent = isSecure ? new HttpsAgent({ ...options, ...server.tls }) : new HttpAgent(options);
    this.send = isSecure ? httpsRequest : httpRequest;
  }

  /** @throws Refusal `unavailable` */
  encrypt(plaintext: Buffer, context: string): Promise<string> {
    return this.encryptions.load({ text: plaintext.toString('base64'), context });
  }

  /** @throws TransitItemRefused, Refusal `unavailable` */
  async decrypt(ciphertext: string, context: string): Promise<Buffer> {
    return Buffer.from(await this.decryptions.load({ text: ciphertext, context }), 'base64');
  }

  /** Whether the last answer was one, and not a failure. */
  get answers(): boolean {
    return !this.isAway;
  }

  close(): void {
    this.agent.destroy();
  }

  private batched(verb: Verb) {
    return new DataLoader<Item, string>((items) => this.ask(verb, items), { cache: false, maxBatchSize: ITEMS_MAX });
  }

  private async ask(verb: Verb, items: readonly Item[]): Promise<(string | Error)[]> {
    const now = performance.now();
    if (now < this.refusingUntil) throw Refusal.notExecuted();
    // Until this one has ended it is the only one that asks.
    if (this.isAway) this.refusingUntil = now + this.server.timeoutMs;
    try {
      const results = await this.attempts(verb, items);
      this.answered(verb);
      return results;
    } catch (error) {
      this.failed(verb, error as Error);
      throw Object.assign(Refusal.notExecuted(), { cause: error });
    }
  }

  private async attempts(verb: Verb, items: readonly Item[]): Promise<(string | Error)[]> {
    const signal = AbortSignal.timeout(this.server.timeoutMs);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(verb, items, signal);
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || signal.aborted || error instanceof TransitRefused) throw error;
        await delay(RETRY_AFTER_MS * attempt, undefined, { signal });
      }
    }
  }

  private async attempt(verb: Verb, items: readonly Item[], signal: AbortSignal): Promise<(string | Error)[]> {
    const input = verb === 'encrypt' ? 'plaintext' : 'ciphertext';
    const { status, text } = await this.post(
      `${verb}/${encodeURIComponent(this.server.key)}`,
      {
        batch_input: items.map((item) => {
          const context = Buffer.from(item.context, 'utf8').toString('base64');
          return { [input]: item.text, context, associated_data: context };
        }),
      },
      signal,
    );
    const body = jsonOf(text);
    const results = (body.data as { batch_results?: unknown } | undefined)?.batch_results;
    if ((status === 200 || status === 400) && Array.isArray(results)) {
      if (results.length !== items.length) throw new TransitRefused('it answers another number of results');
      const output = verb === 'encrypt' ? 'ciphertext' : 'plaintext';
      return results.map((result) => resultOf(result as Record<string, unknown> | null, output));
    }
    const reason = reasonOf(body);
    const message = `status ${status}${reason && `, ${reason}`}`;
    throw status >= 500 || status === 429 ? new Error(message) : new TransitRefused(message);
  }

  private post(path: string, body: object, signal: AbortSignal): Promise<{ status: number; text: string }> {
    const { url, token } = this.server;
    const payload = Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const request = this.send(`${url.replace(/\/+$/, '')}/${path}`, {
        method: 'POST',
        agent: this.agent,
        signal,
        headers: {
          'content-type': 'application/json',
          'content-length': payload.length,
          // An agent of Vault that stands before it asks for this header.
          'x-vault-request': 'true',
          ...(token !== null && { authorization: `Bearer ${token}` }),
        },
      });
      request.once('error', reject);
      request.once('response', (response) => {
        bounded(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
      });
      request.end(payload);
    });
  }

  private answered(verb: Verb): void {
    instruments.key_wrapping_requests_total.inc({ operation: verb, outcome: 'answered' });
    if (this.isAway) this.log.log('the key management service answers again');
    this.isAway = false;
    this.refusingUntil = 0;
  }

  private failed(verb: Verb, error: Error): void {
    instruments.key_wrapping_requests_total.inc({ operation: verb, outcome: 'failed' });
    if (!this.isAway)
      this.log.error({
        alert: 'key_management_away',
        msg: `the key management service at ${new URL(this.server.url).host} does not do its work: what needs a data key is refused`,
        reason: error.message,
      });
    this.isAway = true;
    this.refusingUntil = performance.now() + REFUSING_MS;
  }
}

function resultOf(result: Record<string, unknown> | null, output: 'ciphertext' | 'plaintext'): string | Error {
  // First: a failed item has an empty plaintext too.
  if (typeof result?.['error'] === 'string' && result['error'] !== '') return new TransitItemRefused(result['error']);
  const value = result?.[output];
  if (typeof value === 'string' && value !== '') return value;
  return new TransitItemRefused(`a result without ${output}`);
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Its own sentence, for the log; it names keys and paths, never what was sent. */
function reasonOf({ errors }: Record<string, unknown>): string {
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  return typeof first === 'string' ? first.replace(/\s+/g, ' ').slice(0, REASON_CHARACTERS_MAX) : '';
}

async function bounded(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) throw new TransitRefused('it answers more than it was asked for');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
