import { ErrorCode } from './error-codes';

export type RequestClass<Request extends object> = new () => Request;

/** The fields of a request as a plain object, as it is sent; its class checks them where they arrive. */
export type Plain<Request> = { [Name in keyof Request]: Request[Name] };

/**
 * Who answers a subject: `any` running instance of the service that owns it, or the one instance that holds the
 * lease of the `shard` named at the end of the subject (`wallet.hold-payout.3`).
 */
export type AnsweredBy = 'any' | 'shard';

/** Who asks the ledger for commands, each with a key of its own: services, and the operators' command line. */
export const CALLING_SERVICES = [
  ...(['gateway', 'backoffice', 'customer', 'swap-pricing', 'payout', 'chain', 'operator'] as const),
] as const;
export type CallingService = (typeof CALLING_SERVICES)[number];

/**
 * One operation on the bus, declared once: gateway and handler both import this constant, so that "find references"
 * crosses the bus. Codes of every operation (`validation_failed`, `unavailable`, `internal_error`) are not repeated in
 * `errors`.
 */
export interface Operation<Request extends object, Reply> {
  readonly subject: string;
  readonly answeredBy: AnsweredBy;
  /** It changes nothing, so that the client may also ask another instance while the first one has not answered. */
  readonly readOnly: boolean;
  /** The services that may ask for it, each by its own key; left out where the broker's permissions alone decide that. */
  readonly callers?: readonly CallingService[];
  /**
   * Its service asks the ledger for a command because a merchant has asked for this: the gateway's proof of the request
   * carries the body, so that the ledger can hold the one against the other.
   */
  readonly provesRequest?: boolean;
  readonly request: RequestClass<Request>;
  readonly errors: readonly ErrorCode[];
  /** Carries the reply's type; there is no value behind it. */
  readonly reply: Reply;
}

/** Names the type of a reply inside an operation's constant, as `replies<View>()`: there is no value. */
export function replies<Reply>(none?: Reply): Reply {
  return none as Reply;
}

export function operation<Request extends object, Reply>(definition: {
  subject: string;
  answeredBy?: AnsweredBy;
  readOnly?: boolean;
  callers?: readonly CallingService[];
  provesRequest?: boolean;
  request: RequestClass<Request>;
  reply: Reply;
  errors: readonly ErrorCode[];
}): Operation<Request, Reply> {
  return { answeredBy: 'any', readOnly: false, ...definition };
}
