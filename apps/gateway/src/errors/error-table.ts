import { ErrorCode } from '@stablecoin/contracts/wire/error-codes';

/** The one place that knows which HTTP status a code has, and how it reads. Each message says what to do about it. */
export const ERROR_TABLE: Readonly<Record<ErrorCode, { status: number; message: string }>> = {
  validation_failed: { status: 400, message: 'Some of the request is not valid; correct the fields named in errors.' },
  malformed_json: { status: 400, message: 'The body is not valid JSON in UTF-8; correct it and send it again.' },
  invalid_api_key: { status: 401, message: 'Send a valid API key in the x-api-key header.' },
  insufficient_scope: { status: 403, message: 'This API key may not do that; use a key that has the scope for it.' },
  not_found: {
    status: 404,
    message: 'There is nothing here for this API key; check the path and the ids in the request.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not take that method; use one of those in the Allow header.',
  },
  payload_too_large: {
    status: 413,
    message: 'The body is too large; send at most 100 KiB, or 15 MiB with documents of a customer.',
  },
  uri_too_long: { status: 414, message: 'The URL is too long; shorten it to at most 8192 characters.' },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as JSON, with the header content-type: application/json.',
  },
  headers_too_large: { status: 431, message: 'The headers are too large; send fewer or shorter ones.' },
  email_taken: {
    status: 409,
    message: 'Another customer has this e-mail address; use another one, or update that customer.',
  },
  phone_taken: {
    status: 409,
    message: 'Another customer has this phone number; use another one, or update that customer.',
  },
  wallet_exists: {
    status: 409,
    message: 'The owner has this wallet already; use it, or name a network that it lacks.',
  },
  idempotency_in_flight: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running; send it again in a moment.',
  },
  quote_required: { status: 409, message: 'There is no open quote for this swap; create one first.' },
  quote_used: { status: 409, message: 'This quote was used already; create a new one.' },
  customer_type_mismatch: {
    status: 409,
    message: 'The customer is of the other type; use the endpoint for its customer_type.',
  },
  customer_not_empty: {
    status: 409,
    message: 'The customer still has money or open payouts; move the money out, then close it.',
  },
  invalid_transition: {
    status: 409,
    message: 'The payout is not in a state that allows this; look up its current status.',
  },
  proof_pending: { status: 409, message: 'There is no proof yet; ask again after the next checkpoint.' },
  insufficient_funds: {
    status: 422,
    message: 'The wallet does not hold enough for amount and fee; add money or lower the amount.',
  },
  quote_expired: { status: 422, message: 'The quote has expired; refresh it and execute the swap again.' },
  quote_mismatch: {
    status: 422,
    message: 'The quote is for other currencies or another amount; send those that it was made for.',
  },
  amount_too_small: {
    status: 422,
    message: 'The amount is too small to give anything in the other currency; raise it.',
  },
  wallet_not_found: { status: 422, message: 'The owner has no wallet in this currency; create it first.' },
  customer_closed: { status: 422, message: 'The customer is closed; changes and movements are no longer possible.' },
  kyc_required: {
    status: 422,
    message: 'The customer is not approved yet; payouts are possible once kyc_status is approved.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another request; take a new one.',
  },
  unsupported_pair: { status: 422, message: 'These two currencies can not be exchanged; name two different ones.' },
  rate_limited: {
    status: 429,
    message: 'Too many requests with this API key; wait as long as the Retry-After header says.',
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side; send the request again with the same Idempotency-Key.',
  },
  unavailable: {
    status: 503,
    message: 'The service is not available right now; send the request again after Retry-After.',
  },
};
