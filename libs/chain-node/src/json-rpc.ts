// One question to one node over HTTP, and its answer or a classified NodeFailure. The URL may hold a key, and stands in no
// message.

import { MalformedAnswer } from './answer-readers';
import type { Asking } from './chain-node';
import { JsonPoster, NoAnswer, type NoAnswerReason } from './json-post';
import { classify, type NodeError, type RpcError } from './node-error';
import { type FailureKind, NodeFailure } from './node-failure';

const TIMEOUT_MS = 10_000;
const HTTP_TOO_MANY = 429;
const FAILURES = {
  timeout: 'timeout',
  aborted: 'aborted',
  'too-large': 'malformed-answer',
  unreachable: 'unreachable',
} as const satisfies Record<NoAnswerReason, FailureKind>;

interface RpcAnswer {
  result?: unknown;
  error?: RpcError | null;
}

export class JsonRpc {
  readonly name: string;
  private readonly poster: JsonPoster;
  private asked = 0;

  constructor(
    url: string,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    this.name = new URL(url).host;
    this.poster = new JsonPoster(url);
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
      const { result, error } = answer;
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

  private async send(
    method: string,
    params: readonly unknown[],
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<RpcAnswer> {
    this.asked += 1;
    const text = JSON.stringify({ jsonrpc: '2.0', id: this.asked, method, params });
    const { status, text: said, retryAfter } = await this.post(method, { text, timeoutMs, signal });
    const answer = jsonOf(said);
    if (status === HTTP_TOO_MANY)
      throw this.failure('throttled', method, answer?.error?.message ?? 'it answered 429', retryAfterMs(retryAfter));
    if (isSuccess(status)) {
      if (answer === undefined) throw this.failure('malformed-answer', method, 'it is no JSON');
      return answer;
    }
    // What it says of itself tells more than the status.
    if (answer && isRpcError(answer.error)) return answer;
    throw this.failure('internal', method, `it answered ${status}`);
  }

  private async post(method: string, posted: Parameters<JsonPoster['post']>[0]) {
    try {
      return await this.poster.post(posted);
    } catch (error) {
      if (error instanceof NoAnswer) throw this.failure(FAILURES[error.reason], method, error.message);
      throw error;
    }
  }
}

/** Undefined for what is no JSON; an answer without result and error for what is no object. */
function jsonOf(text: string): RpcAnswer | undefined {
  try {
    return { ...(JSON.parse(text) as RpcAnswer) };
  } catch {
    return undefined;
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const isRpcError = (error: RpcError | null | undefined): boolean =>
  typeof error?.code === 'number' && typeof error.message === 'string';

function retryAfterMs(header: string | undefined): number | undefined {
  const seconds = Number(header ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}
