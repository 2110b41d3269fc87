/**
 * One JSON text to a node over a connection that is kept, and its answer, of whatever status. By Node's own client: `fetch`
 * takes four times the processor time for a question, and nodes are asked thousands of them.
 */
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as askHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as askHttps } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** More than any question of ours is answered with: ranges are halved long before. */
const ANSWER_BYTES_MAX = 10 * 1024 * 1024;
/** Shorter than servers keep a connection that is not used, so that none closes it while it is used again. */
const KEPT_MS = 4_000;

export interface JsonPost {
  text: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface JsonAnswer {
  status: number;
  text: string;
  /** The header `Retry-After`, as it came. */
  retryAfter: string | undefined;
}

export type NoAnswerReason = 'timeout' | 'aborted' | 'too-large' | 'unreachable';

/** There was no whole answer. What was asked may have been done. */
export class NoAnswer extends Error {
  constructor(
    readonly reason: NoAnswerReason,
    detail: string,
  ) {
    super(detail);
  }
}

export class JsonPoster {
  private readonly begin: (headers: OutgoingHttpHeaders, connection: 'kept' | 'new') => ClientRequest;

  /** @param url with a user and password if it has them: they become a header */
  constructor(url: string) {
    const { protocol, username, password, hostname, port, pathname, search } = new URL(url);
    const authorization = username && {
      authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`,
    };
    const [ask, Agent] = protocol === 'https:' ? [askHttps, HttpsAgent] : [askHttp, HttpAgent];
    const target = {
      // An address of version 6 stands in brackets in a URL alone.
      ...{ hostname: hostname.replace(/^\[|\]$/g, ''), port, path: `${pathname}${search}`, method: 'POST' },
    };
    const kept = new Agent({ keepAlive: true, timeout: KEPT_MS });
    const own = { 'content-type': 'application/json', 'accept-encoding': 'gzip', ...(authorization || {}) };
    this.begin = (headers, connection) =>
      ask({ ...target, agent: connection === 'kept' && kept, headers: { ...own, ...headers } });
  }

  /** @throws NoAnswer */
  async post(asked: JsonPost): Promise<JsonAnswer> {
    try {
      return await this.ask(asked, 'kept');
    } catch (error) {
      if (error instanceof ClosedBefore) return this.ask(asked, 'new');
      throw error;
    }
  }

  private async ask({ text, timeoutMs, signal }: JsonPost, connection: 'kept' | 'new'): Promise<JsonAnswer> {
    if (signal?.aborted) throw aborted();
    const request = this.begin({ 'content-length': Buffer.byteLength(text) }, connection);
    let given: NoAnswer | undefined;
    const giveUp = (reason: NoAnswer) => {
      given = reason;
      request.destroy();
    };
    const timeout = setTimeout(() => giveUp(new NoAnswer('timeout', `no answer within ${timeoutMs} ms`)), timeoutMs);
    const abort = () => giveUp(aborted());
    signal?.addEventListener('abort', abort, { once: true });
    let hasBegun = false;
    try {
      const response = new Promise<IncomingMessage>((begun, failed) =>
        request.on('response', begun).on('error', failed),
      );
      request.end(text);
      const begun = await response;
      hasBegun = true;
      return await read(begun);
    } catch (error) {
      if (given) throw given;
      if (error instanceof NoAnswer) throw error;
      const code = codeOf(error);
      if (request.reusedSocket && !hasBegun && CLOSED.includes(code ?? '')) throw new ClosedBefore();
      throw new NoAnswer('unreachable', code ?? 'the connection failed');
    } finally {
      clearTimeout(timeout);
      signal?.removeEventListener('abort', abort);
    }
  }
}

/**
 * The server had closed the kept connection, as it seems, which was only noticed when it was used again. The question is
 * asked once more: also a broadcast changes nothing the second time.
 */
class ClosedBefore extends Error {}
const CLOSED: readonly string[] = ['ECONNRESET', 'EPIPE'];

async function read(response: IncomingMessage): Promise<JsonAnswer> {
  const { statusCode = 0, headers } = response;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) throw tooLarge();
    chunks.push(chunk);
  }
  const sent = Buffer.concat(chunks);
  const body = headers['content-encoding'] === 'gzip' ? await unzipped(sent) : sent;
  return { status: statusCode, text: body.toString('utf8'), retryAfter: headers['retry-after'] };
}

async function unzipped(sent: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(sent, { maxOutputLength: ANSWER_BYTES_MAX });
  } catch (error) {
    throw codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : error;
  }
}

const aborted = () => new NoAnswer('aborted', 'its caller no longer waits');
const tooLarge = () => new NoAnswer('too-large', `it is larger than ${ANSWER_BYTES_MAX} bytes`);

function codeOf(error: unknown): string | undefined {
  const { code } = { ...(error as { code?: unknown }) };
  return typeof code === 'string' ? code : undefined;
}
