/**
 * From a call to its answer, over as many attempts as it takes:
 *
 * 1. The request is made once: its Idempotency-Key, its request id and its body are the same in every attempt.
 * 2. An attempt ends with a whole answer, or without one: refused, broken, timed out, aborted.
 * 3. What may end otherwise the next time is sent again (retry-policy.ts) while retries and the deadline last.
 * 4. A success gives its data. Anything else is an error that says whether the call may have taken effect.
 */

import { randomUUID } from 'node:crypto';
import { attempt, Attempted, HttpRequest } from './attempt';
import { Answer, Call } from './call';
import {
  CallFacts,
  StablecoinAbortError,
  StablecoinConnectionError,
  StablecoinTimeoutError,
  UnexpectedAnswerError,
} from './errors';
import { apiErrorOf } from './errors.generated';
import { Operation, pathOf, queryOf, RequestOptions, WriteOptions } from './operation';
import { PageCall, PageQuery } from './pages';
import { formBody, jsonBody, RequestBody } from './request-body';
import { mayBeSentAgain, outcomeUnknownAfter, waitMsAfter } from './retry-policy';
import { SDK_VERSION } from './sdk-version';
import type { FieldError, Pagination } from './types.generated';

/** One attempt, as a logger gets it: never the key, a header or a body. */
export interface AttemptLog {
  method: string;
  /** With its ids left out: `/wallets/{wallet_id}`. */
  path: string;
  /** Undefined where no whole answer came. */
  status?: number;
  /** The code of a refusal, or how the attempt broke: `broken`, `timed-out`, `aborted`. */
  code?: string;
  /** From 1. */
  attempt: number;
  durationMs: number;
  requestId: string;
}

export interface TransportOptions {
  apiKey: string;
  baseUrl: string;
  timeoutMs: number;
  deadlineMs: number;
  maxRetries: number;
  fetch: typeof globalThis.fetch;
  logger?: (attempt: AttemptLog) => void;
}

/** Where waiting, the time and chance come from; a spec has its own. */
export interface Timing {
  nowMs(): number;
  random(): number;
  /** Ends early, without an error, when the signal says so. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A larger body has a second more for each so many bytes. */
const UPLOAD_BYTES_PER_SECOND = 128 * 1024;
const SYSTEM_TIMING: Timing = { nowMs: () => performance.now(), random: Math.random, wait: waitFor };

/** What a call goes by, over all its attempts. */
interface Plan {
  operation: Operation;
  request: HttpRequest;
  requestId: string;
  idempotencyKey?: string;
  timeoutMs: number;
  deadlineMs: number;
  maxRetries: number;
  signal?: AbortSignal;
}

/** An attempt that had an answer, and how often the request had been sent by then. */
interface Succeeded extends Required<Pick<Attempted, 'headers' | 'body'>> {
  status: number;
  attempts: number;
}

export class Transport {
  // Not seen when a client is printed: among the options is the key.
  readonly #options: TransportOptions;
  readonly #timing: Timing;

  constructor(options: TransportOptions, timing: Timing = SYSTEM_TIMING) {
    this.#options = options;
    this.#timing = timing;
  }

  /** What stands under `data`. */
  value<Data>(operation: Operation, options?: WriteOptions): Call<Data> {
    return this.call(operation, options, (body) => body['data'] as Data);
  }

  /** What stands under `data` of the envelope under `data`. */
  innerValue<Data>(operation: Operation, options?: WriteOptions): Call<Data> {
    return this.call(operation, options, (body) => (body['data'] as { data: Data }).data);
  }

  nothing(operation: Operation, options?: WriteOptions): Call<void> {
    return this.call(operation, options, () => undefined);
  }

  page<Item>(operation: Operation, options?: RequestOptions): PageCall<Item> {
    const load = (query: PageQuery) =>
      this.answer({ ...operation, query: { ...operation.query, ...query } }, options, ({ data, pagination }) => ({
        data: data as Item[],
        pagination: pagination as Pagination,
      }));
    const { page, limit } = (operation.query ?? {}) as PageQuery;
    return new PageCall(load, { page, limit });
  }

  /** Sent at once, also where the caller forgets to await it. */
  private call<Data>(
    operation: Operation,
    options: WriteOptions | undefined,
    dataOf: (body: Succeeded['body']) => Data,
  ): Call<Data> {
    const answer = this.answer(operation, options, dataOf);
    return new Call(() => answer);
  }

  private async answer<Data>(
    operation: Operation,
    options: WriteOptions = {},
    dataOf: (body: Succeeded['body']) => Data,
  ): Promise<Answer<Data>> {
    const plan = await this.plan(operation, options);
    const { status, headers, body, attempts } = await this.succeed(plan);
    return {
      data: dataOf(body),
      status,
      headers,
      requestId: headers.get('x-request-id') ?? plan.requestId,
      replayed: headers.get('idempotency-replayed') === 'true',
      attempts,
    };
  }

  private async plan(operation: Operation, options: WriteOptions): Promise<Plan> {
    const { requestId = randomUUID(), signal } = options;
    const idempotencyKey =
      operation.takesIdempotencyKey === true ? (options.idempotencyKey ?? randomUUID()) : undefined;
    const body = await bodyOf(operation);
    const uploadMs = ((body?.bytes ?? 0) / UPLOAD_BYTES_PER_SECOND) * 1_000;
    const own = {
      accept: 'application/json',
      'user-agent': `stablecoin-sdk/${SDK_VERSION}`,
      'x-api-key': this.#options.apiKey,
      'x-request-id': requestId,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(body?.contentType !== undefined && { 'content-type': body.contentType }),
    };
    // Through Headers, which refuse what can't be sent: a TypeError now, not an attempt that fails again and again.
    const headers = Object.fromEntries([...new Headers(options.headers), ...new Headers(own)]);
    const url = `${this.#options.baseUrl}${pathOf(operation)}${queryOf(operation)}`;
    return {
      operation,
      request: { method: operation.method, url, headers, body },
      requestId,
      idempotencyKey,
      timeoutMs: (options.timeoutMs ?? this.#options.timeoutMs) + uploadMs,
      deadlineMs: (options.deadlineMs ?? this.#options.deadlineMs) + uploadMs,
      maxRetries: options.maxRetries ?? this.#options.maxRetries,
      signal,
    };
  }

  /** Attempts and waits until there is a success. @throws StablecoinCallError */
  private async succeed(plan: Plan): Promise<Succeeded> {
    const endsAtMs = this.#timing.nowMs() + plan.deadlineMs;
    let outcomeUnknown = false;
    for (let attempts = 1; ; attempts += 1) {
      this.assertNotAborted(plan, { attempts: attempts - 1, outcomeUnknown });
      const attempted = await this.attempt(plan, attempts, endsAtMs - this.#timing.nowMs());
      const success = successOf(attempted);
      if (success !== undefined) return { ...success, attempts };
      outcomeUnknown = plan.operation.method !== 'GET' && outcomeUnknownAfter(attempted.outcome, outcomeUnknown);
      const waitMs = waitMsAfter(attempted.outcome, attempts, () => this.#timing.random());
      const leavesTime = this.#timing.nowMs() + waitMs < endsAtMs;
      if (attempts > plan.maxRetries || !leavesTime || !mayBeSentAgain(attempted.outcome)) {
        throw errorOf(attempted, plan, { attempts, outcomeUnknown });
      }
      await this.#timing.wait(waitMs, plan.signal);
    }
  }

  private assertNotAborted(plan: Plan, soFar: Pick<CallFacts, 'attempts' | 'outcomeUnknown'>): void {
    if (plan.signal?.aborted !== true) return;
    throw errorOf({ outcome: { kind: 'aborted' }, cause: plan.signal.reason }, plan, soFar);
  }

  private async attempt(plan: Plan, number: number, leftMs: number): Promise<Attempted> {
    const { request, signal, requestId } = plan;
    const startedAtMs = this.#timing.nowMs();
    const timeoutMs = Math.min(plan.timeoutMs, leftMs);
    const attempted = await attempt(request, { fetch: this.#options.fetch, timeoutMs, signal });
    this.log({
      method: request.method,
      path: plan.operation.path,
      ...outcomeForLog(attempted),
      attempt: number,
      durationMs: this.#timing.nowMs() - startedAtMs,
      requestId: attempted.headers?.get('x-request-id') ?? requestId,
    });
    return attempted;
  }

  /** What the logger throws is lost: a call that moved money doesn't fail over a line of a log. */
  private log(entry: AttemptLog): void {
    try {
      this.#options.logger?.(entry);
    } catch {
      return;
    }
  }
}

async function bodyOf({ body, file }: Operation): Promise<RequestBody | undefined> {
  if (file !== undefined) return formBody(file.field, file.content);
  return body === undefined ? undefined : jsonBody(body);
}

function outcomeForLog({ outcome }: Attempted): Pick<AttemptLog, 'status' | 'code'> {
  return outcome.kind === 'answered' ? { status: outcome.status, code: outcome.code } : { code: outcome.kind };
}

function successOf({ outcome, headers, body }: Attempted): Omit<Succeeded, 'attempts'> | undefined {
  const isSuccess = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
  if (!isSuccess || headers === undefined || body?.['status'] !== 'success') return undefined;
  return { status: outcome.status, headers, body };
}

function errorOf(attempted: Attempted, plan: Plan, soFar: Pick<CallFacts, 'attempts' | 'outcomeUnknown'>): Error {
  const { outcome, headers, cause } = attempted;
  const { requestId = plan.requestId } = { requestId: headers?.get('x-request-id') ?? undefined };
  const facts: CallFacts = { requestId, idempotencyKey: plan.idempotencyKey, ...soFar };
  const call = `${plan.operation.method} ${plan.operation.path}`;
  switch (outcome.kind) {
    case 'aborted':
      return new StablecoinAbortError(`${call} was aborted.`, facts, { cause });
    case 'timed-out':
      return new StablecoinTimeoutError(`${call} was not answered in time.`, facts, { cause });
    case 'broken':
      return new StablecoinConnectionError(`${call} was not answered: ${reasonOf(cause)}.`, facts, { cause });
    case 'answered':
      return refusalOf(attempted, facts) ?? unexpectedAnswer(call, outcome.status, facts);
  }
}

const unexpectedAnswer = (call: string, status: number, facts: CallFacts) =>
  new UnexpectedAnswerError(`${call} was answered ${status}, in a form that is not the service's.`, facts, status);

function refusalOf({ outcome, body }: Attempted, facts: CallFacts): Error | undefined {
  if (outcome.kind !== 'answered' || outcome.code === undefined || body?.['status'] !== 'error') return undefined;
  const { code, status, retryAfterMs } = outcome;
  const refusal = {
    code,
    status,
    message: String(body['message']),
    errors: (body['errors'] ?? []) as FieldError[],
    retryAfterSeconds: retryAfterMs === undefined ? undefined : retryAfterMs / 1_000,
  };
  return apiErrorOf(refusal, facts);
}

/** The socket's own words, which fetch hides in its cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code, message: inner } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? inner ?? message;
}

function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((over) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      over();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
  });
}
