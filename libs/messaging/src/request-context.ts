import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** Every request ends within this, in milliseconds, over all its hops. */
export const REQUEST_DEADLINE_MS = 5_000;

export interface RequestContext {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** The merchant whose request it is, and its command, where they are known: for the logs. */
  readonly merchantId?: string | undefined;
  readonly commandId?: string | undefined;
  /** The shard whose owner is asked, for an operation that a shard's owner answers: the last token of its subject. */
  readonly shard?: number | undefined;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` as part of a request: calls over the bus inherit its id and its deadline. */
export function withRequestContext<Result>(context: RequestContext, work: () => Result): Result {
  return storage.run(context, work);
}

/**
 * Runs `work` outside of any request: work that serves several requests must not end by the deadline of the one that
 * began it.
 */
export function withoutRequest<Result>(work: () => Result): Result {
  return storage.exit(work);
}

export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}

/** The context of work that no request asked for: a consumer's or a timer's. */
export function freshRequestContext(requestId: string = randomUUID()): RequestContext {
  return { requestId, deadline: Date.now() + REQUEST_DEADLINE_MS };
}
