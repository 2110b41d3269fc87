import { Outcome, retryAfterMsOf } from './retry-policy';
import type { RequestBody } from './request-body';

/** One HTTP request, the same in every attempt. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: RequestBody;
}

/** What the body of an answer holds, as far as it is JSON. */
export type AnswerBody = Readonly<Record<string, unknown>>;

export interface Attempted {
  outcome: Outcome;
  /** Where there was an answer. */
  headers?: Headers;
  /** Where it was a JSON object. */
  body?: AnswerBody;
  /** Why there was none. */
  cause?: unknown;
}

/** No connection came about: nothing was sent. */
const NOT_CONNECTED = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID'],
]);

const TIMED_OUT = new Error('The attempt took too long.');

/** Sends a request once and reads its answer to the end: what breaks before that is no answer. Never throws. */
export async function attempt(
  request: HttpRequest,
  { fetch, timeoutMs, signal }: { fetch: typeof globalThis.fetch; timeoutMs: number; signal?: AbortSignal },
): Promise<Attempted> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(TIMED_OUT), timeoutMs);
  const abort = () => ending.abort();
  signal?.addEventListener('abort', abort);
  try {
    const { method, url, headers, body } = request;
    // A redirect isn't followed: it would carry the key elsewhere.
    const init = { method, headers, body: body?.content, redirect: 'manual', signal: ending.signal } as const;
    const response = await fetch(url, init);
    const text = await response.text();
    return answered(response, text);
  } catch (cause) {
    if (signal?.aborted === true) return { outcome: { kind: 'aborted' }, cause: signal.reason };
    if (ending.signal.reason === TIMED_OUT) return { outcome: { kind: 'timed-out' }, cause };
    return { outcome: { kind: 'broken', sent: !isNotConnected(cause) }, cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function answered({ status, headers }: Response, text: string): Attempted {
  const body = jsonObject(text);
  // What says that it is JSON and stops half-way was cut by somebody on its way.
  if (body === undefined && headers.get('content-type')?.startsWith('application/json') === true) {
    return { outcome: { kind: 'broken', sent: true }, headers, cause: new Error('The answer is not whole.') };
  }
  const code = body?.['code'];
  const outcome: Outcome = {
    kind: 'answered',
    status,
    code: typeof code === 'string' ? code : undefined,
    retryAfterMs: retryAfterMsOf(headers.get('retry-after'), Date.now()),
    notExecuted: headers.get('x-outcome') === 'none',
  };
  return { outcome, headers, body };
}

function jsonObject(text: string): AnswerBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as AnswerBody) : undefined;
  } catch {
    return undefined;
  }
}

/** fetch hides the socket's error in its cause. */
function isNotConnected(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && NOT_CONNECTED.has(code);
}
