import { ErrorCode } from '@stablecoin/contracts/wire/error-codes';

export interface ErrorDescription {
  status: number;
  /** What happened; the first half of the message. */
  meaning: string;
  /** What the caller can do about it; the second half. */
  advice: string;
}

/** The only place that gives each code its HTTP status and its message; docs/ERRORS.md is written from it. */
export const ERROR_TABLE: Readonly<Record<ErrorCode, ErrorDescription>> = {
  validation_failed: {
    status: 400,
    meaning: 'Some of the request is not valid',
    advice: 'correct the fields named in errors',
  },
  malformed_json: {
    status: 400,
    meaning: 'The body is not valid JSON in UTF-8',
    advice: 'correct it and send it again',
  },
  invalid_api_key: {
    status: 401,
    meaning: 'The API key is missing or not valid',
    advice: 'send a valid one in the x-api-key header',
  },
  insufficient_scope: {
    status: 403,
    meaning: 'This API key may not do that',
    advice: 'use a key that has the scope for it',
  },
  approver_not_allowed: {
    status: 403,
    meaning: 'Whose key this is has created the payout, or approved it before',
    advice: 'have another person approve it',
  },
  not_found: {
    status: 404,
    meaning: 'There is nothing here for this API key',
    advice: 'check the path and the ids in the request',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'This path does not take that method',
    advice: 'use one of those in the Allow header',
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body is too large',
    advice: 'send at most 100 KiB, or for a customer 900 KB beside its documents, and 15 MiB with them',
  },
  uri_too_long: {
    status: 414,
    meaning: 'The URL is too long',
    advice: 'shorten it to at most 8192 characters',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The media type of the body is not taken here',
    advice: 'send application/json, or a document by itself as multipart/form-data',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The headers are too large',
    advice: 'send fewer or shorter ones',
  },
  email_taken: {
    status: 409,
    meaning: 'Another customer has this e-mail address',
    advice: 'use another one, or update that customer',
  },
  phone_taken: {
    status: 409,
    meaning: 'Another customer has this phone number',
    advice: 'use another one, or update that customer',
  },
  document_used: {
    status: 409,
    meaning: 'A customer has this document already',
    advice: 'send the document again, and name the new document_id',
  },
  wallet_exists: {
    status: 409,
    meaning: 'The owner has this wallet already',
    advice: 'use it, or name a network that it lacks',
  },
  idempotency_in_flight: {
    status: 409,
    meaning: 'A request with this Idempotency-Key is still running',
    advice: 'send it again in a moment',
  },
  quote_required: {
    status: 409,
    meaning: 'There is no open quote for this swap',
    advice: 'create one first',
  },
  quote_used: {
    status: 409,
    meaning: 'This quote was used already',
    advice: 'create a new one',
  },
  customer_type_mismatch: {
    status: 409,
    meaning: 'The customer is of the other type',
    advice: 'use the endpoint for its customer_type',
  },
  customer_not_empty: {
    status: 409,
    meaning: 'The customer still has money or open payouts',
    advice: 'move the money out, then close it',
  },
  invalid_transition: {
    status: 409,
    meaning: 'The payout or deposit is not in a state that allows this, or its chain alone decides',
    advice: 'look up its current status',
  },
  approval_mismatch: {
    status: 409,
    meaning: 'The payout sends something else than what was approved',
    advice: 'look it up and approve the approval_hash that it shows',
  },
  proof_pending: {
    status: 409,
    meaning: 'There is no proof yet',
    advice: 'ask again after the next checkpoint',
  },
  webhook_limit_reached: {
    status: 409,
    meaning: 'There are as many webhooks as a merchant may have',
    advice: 'delete one that is no longer needed',
  },
  storage_quota_reached: {
    status: 409,
    meaning: 'The merchant has as many documents stored as it may',
    advice: 'ask the operator for a higher quota',
  },
  limit_exceeded: {
    status: 422,
    meaning: 'The policy lets no such payout go out now',
    advice: 'look the policy up, lower the amount, or wait until less has gone out',
  },
  insufficient_funds: {
    status: 422,
    meaning: 'The wallet does not hold enough for amount and fee',
    advice: 'add money or lower the amount',
  },
  quote_expired: {
    status: 422,
    meaning: 'The quote has expired',
    advice: 'refresh it and execute the swap again',
  },
  quote_mismatch: {
    status: 422,
    meaning: 'The quote is for other currencies or another amount',
    advice: 'send those that it was made for',
  },
  amount_too_small: {
    status: 422,
    meaning: 'The amount is too small to give anything in the other currency',
    advice: 'raise it',
  },
  wallet_not_found: {
    status: 422,
    meaning: 'The owner has no wallet in this currency',
    advice: 'create it first',
  },
  customer_closed: {
    status: 422,
    meaning: 'The customer is closed',
    advice: 'changes and movements are no longer possible',
  },
  kyc_required: {
    status: 422,
    meaning: 'The customer is not approved yet',
    advice: 'payouts are possible once kyc_status is approved',
  },
  rail_unavailable: {
    status: 422,
    meaning: 'No rail takes payouts of a live merchant there yet',
    advice: 'nothing was held; ask your operator when there will be one',
  },
  idempotency_key_reused: {
    status: 422,
    meaning: 'This Idempotency-Key was used with another request',
    advice: 'take a new one',
  },
  unsupported_pair: {
    status: 422,
    meaning: 'These two currencies can not be exchanged',
    advice: 'name two different ones',
  },
  rate_limited: {
    status: 429,
    meaning: 'Too many requests with this key or from this address, or documents without a customer',
    advice: 'wait as long as Retry-After says',
  },
  internal_error: {
    status: 500,
    meaning: 'Something went wrong on our side',
    advice: 'send the request again with the same Idempotency-Key',
  },
  unavailable: {
    status: 503,
    meaning: 'The service is not available right now',
    advice: 'send the request again after Retry-After',
  },
};

/** The sentence that a response carries. */
export function messageOf(code: ErrorCode): string {
  const { meaning, advice } = ERROR_TABLE[code];
  return `${meaning}; ${advice}.`;
}
