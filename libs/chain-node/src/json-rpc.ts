// One question to one node over HTTP, by viem's client, and its answer or a classified NodeFailure. viem's own messages hold
// the URL, which may hold a key: they are not passed on.

import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem';
import { getHttpRpcClient } from 'viem/utils';
import { MalformedAnswer } from './answer-readers';
import type { Asking } from './chain-node';
import { classify, type NodeError, type RpcError } from './node-error';
import { type FailureKind, NodeFailure } from './node-failure';

const TIMEOUT_MS = 10_000;
const HTTP_TOO_MANY = 429;

export class JsonRpc {
  readonly name: string;
  private readonly client: ReturnType<typeof getHttpRpcClient>;

  constructor(
    url: string,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    this.name = new URL(url).host;
    this.client = getHttpRpcClient(url);
  }

  /**
   * @param read makes a value of what the node answered; a MalformedAnswer that it throws becomes a NodeFailure
   * @param settle returns a value in place of an error of the node, if it is one that the caller expects
   */
  async ask<Value>(
    method: string,
    params: readonly unknown[],
    read: (answer: unknown) => Value,
    { signal, timeoutMs = this.timeoutMs }: Asking = {},
    settle: (error: NodeError) => Value | undefined = () => undefined,
  ): Promise<Value> {
    const answer = await this.send(method, params, timeoutMs, signal);
    try {
      const { result, error } = { ...(answer as { result?: unknown; error?: RpcError | null }) };
      if (error !== undefined && error !== null) return this.settled(method, error, settle);
      if (result === undefined) throw new MalformedAnswer('there is neither a result nor an error');
      return read(result);
    } catch (error) {
      if (error instanceof MalformedAnswer) throw this.failure('malformed-answer', method, error.message);
      throw error;
    }
  }

  failure(kind: FailureKind, method: string, detail: string, retryAfterMs?: number): NodeFailure {
    return new NodeFailure({ kind, node: this.name, method, detail, retryAfterMs });
  }

  private settled<Value>(method: string, error: RpcError, settle: (error: NodeError) => Value | undefined): Value {
    if (typeof error.code !== 'number' || typeof error.message !== 'string')
      throw new MalformedAnswer('its error has no code or no message');
    const known = classify(error);
    const value = settle(known);
    if (value !== undefined) return value;
    throw this.failure(known.kind === 'already-known' ? 'rejected' : known.kind, method, known.detail);
  }

  private async send(method: string, params: readonly unknown[], timeout: number, signal?: AbortSignal) {
    try {
      return (await this.client.request({ body: { method, params }, timeout, fetchOptions: { signal } })) as unknown;
    } catch (error) {
      if (signal?.aborted) throw this.failure('aborted', method, 'its caller no longer waits');
      if (error instanceof TimeoutError) throw this.failure('timeout', method, `no answer within ${timeout} ms`);
      if (error instanceof RpcRequestError) {
        const wait = error.status === HTTP_TOO_MANY ? retryAfterMs(error.headers) : undefined;
        if (error.status === HTTP_TOO_MANY) throw this.failure('throttled', method, error.details, wait);
        return { error: { code: error.code, message: error.details, data: error.data } };
      }
      if (error instanceof ResponseBodyTooLargeError)
        throw this.failure('malformed-answer', method, `it is larger than ${error.maxSize} bytes`);
      if (error instanceof HttpRequestError) throw this.ofHttp(method, error);
      throw error;
    }
  }

  private ofHttp(method: string, { status, headers, cause }: HttpRequestError): NodeFailure {
    if (status === HTTP_TOO_MANY) return this.failure('throttled', method, 'it answered 429', retryAfterMs(headers));
    if (status !== undefined) return this.failure('internal', method, `it answered ${status}`);
    if (cause instanceof SyntaxError) return this.failure('malformed-answer', method, 'it is no JSON');
    return this.failure('unreachable', method, codeOf(cause) ?? 'the connection failed');
  }
}

/** `fetch` says "fetch failed", and the reason below it. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return typeof code === 'string' ? code : codeOf(cause);
}

function retryAfterMs(headers: Headers | undefined): number | undefined {
  const seconds = Number(headers?.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}
