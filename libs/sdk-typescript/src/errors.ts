import type { FieldError } from './types.generated';

/** What every error of a call knows, so that the caller can decide what to do next. */
export interface CallFacts {
  /** Of the last attempt; finds the request in the service's logs. */
  requestId?: string;
  /** Send the same again with it: it takes effect once. Absent for reads. */
  idempotencyKey?: string;
  /** True when the call may have taken effect: ask again with the same key, or look it up, before doing anything else. */
  outcomeUnknown: boolean;
  /** How often it was sent. */
  attempts: number;
}

/** Everything that this package throws, but a TypeError for arguments that no type checker would let pass. */
export class StablecoinError extends Error {
  override readonly name: string = 'StablecoinError';
}

/** A call that ended without a success. */
export class StablecoinCallError extends StablecoinError implements CallFacts {
  override readonly name: string = 'StablecoinCallError';
  readonly requestId?: string;
  readonly idempotencyKey?: string;
  readonly outcomeUnknown: boolean;
  readonly attempts: number;

  constructor(message: string, facts: CallFacts, options?: ErrorOptions) {
    super(message, options);
    this.requestId = facts.requestId;
    this.idempotencyKey = facts.idempotencyKey;
    this.outcomeUnknown = facts.outcomeUnknown;
    this.attempts = facts.attempts;
  }
}

/** No complete answer came: the connection was refused or broke. */
export class StablecoinConnectionError extends StablecoinCallError {
  override readonly name: string = 'StablecoinConnectionError';
}

/** No complete answer came in time. */
export class StablecoinTimeoutError extends StablecoinConnectionError {
  override readonly name = 'StablecoinTimeoutError';
}

/** The caller's own signal ended the call; `cause` is the signal's reason. */
export class StablecoinAbortError extends StablecoinCallError {
  override readonly name = 'StablecoinAbortError';
}

/** What came was not an answer of this service: a proxy's page, a redirect, or a base URL that leads elsewhere. */
export class UnexpectedAnswerError extends StablecoinCallError {
  override readonly name = 'UnexpectedAnswerError';

  constructor(
    message: string,
    facts: CallFacts,
    readonly status: number,
  ) {
    super(message, facts);
  }
}

/** What the body of a refusal says. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
  errors: readonly FieldError[];
  retryAfterSeconds?: number;
}

/**
 * The service refused. Each code has a class of its own (`InsufficientFundsError`), and `code` tells them apart as well; a code
 * that is newer than this package comes as a plain StablecoinApiError.
 */
export class StablecoinApiError extends StablecoinCallError {
  override readonly name: string = 'StablecoinApiError';
  readonly code: string;
  readonly status: number;
  /** With `validation_failed`: every field that was refused, by its path in the body. */
  readonly errors: readonly FieldError[];
  /** What the service asked to wait before the next attempt. */
  readonly retryAfterSeconds?: number;

  constructor(refusal: Refusal, facts: CallFacts) {
    super(messageOf(refusal), facts);
    this.code = refusal.code;
    this.status = refusal.status;
    this.errors = refusal.errors;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

/** Names the fields as well, so that a line of a log says which they were. */
function messageOf({ message, errors }: Refusal): string {
  const fields = errors.map((error) => `${error.field} ${error.message}`.trim());
  return fields.length === 0 ? message : `${message} (${fields.join('; ')})`;
}

/** A delivery that is not to be trusted: not signed with this secret, changed on its way, or too old. */
export class WebhookSignatureError extends StablecoinError {
  override readonly name = 'WebhookSignatureError';
}
