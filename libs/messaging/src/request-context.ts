import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { RequestProof, SignedText } from '@stablecoin/command-proofs/command-mac';

/** Every request ends within this, in milliseconds, over all its hops. */
export const REQUEST_DEADLINE_MS = 5_000;

/** What is proved of a merchant's request, by the service that took it from outside. */
export interface ProvenRequest extends Pick<RequestProof, 'merchant_id' | 'mode'> {
  /** Who has taken it: the gateway, or the backoffice for a member. */
  by: string;
  /** Its name: no two proofs have one MAC. */
  mac: string;
  /** What another service was asked for; none where the gateway asks the ledger itself, and by one of a version before. */
  asked?: { subject: string; body: unknown };
}

/** By whom a command is asked for, as the asking service's key has proved it, and that of the service that took the request. */
export interface ProvenCaller {
  service: string;
  /** The merchant's request; none for what a service does by itself. */
  request?: ProvenRequest;
  /** Not checked yet: the operation says what it is to state. */
  evidence?: SignedText;
}

export interface RequestContext {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** The merchant whose request it is, and its command, where they are known: for the logs. */
  readonly merchantId?: string | undefined;
  readonly commandId?: string | undefined;
  /** The shard whose owner is asked, by the last token of the subject; for what any instance answers, the one that it is about. */
  readonly shard?: number | undefined;
  /** Where the request was taken: the mode of its key at the gateway, of the member's merchant at the backoffice. */
  readonly mode?: string | undefined;
  /** Of the service that took the request, for the ledger; services in between pass it on. */
  readonly requestProof?: RequestProof | undefined;
  /** At the ledger, for a command that names its caller. */
  readonly caller?: ProvenCaller | undefined;
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
