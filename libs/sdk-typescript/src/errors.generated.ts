// Written by npm run docs, from docs/openapi.json.

import { CallFacts, Refusal, StablecoinApiError } from './errors';

/** 400 `malformed_json`: The body is not valid JSON in UTF-8; correct it and send it again. */
export class MalformedJsonError extends StablecoinApiError {
  override readonly name = 'MalformedJsonError';
  declare readonly code: 'malformed_json';
}

/** 400 `validation_failed`: Some of the request is not valid; correct the fields named in errors. */
export class ValidationFailedError extends StablecoinApiError {
  override readonly name = 'ValidationFailedError';
  declare readonly code: 'validation_failed';
}

/** 401 `invalid_api_key`: The API key is missing or not valid; send a valid one in the x-api-key header. */
export class InvalidApiKeyError extends StablecoinApiError {
  override readonly name = 'InvalidApiKeyError';
  declare readonly code: 'invalid_api_key';
}

/** 403 `approver_not_allowed`: Whose key this is has created the payout, or approved it before; have another person approve it. */
export class ApproverNotAllowedError extends StablecoinApiError {
  override readonly name = 'ApproverNotAllowedError';
  declare readonly code: 'approver_not_allowed';
}

/** 403 `insufficient_scope`: This API key may not do that; use a key that has the scope for it. */
export class InsufficientScopeError extends StablecoinApiError {
  override readonly name = 'InsufficientScopeError';
  declare readonly code: 'insufficient_scope';
}

/** 404 `not_found`: There is nothing here for this API key; check the path and the ids in the request. */
export class NotFoundError extends StablecoinApiError {
  override readonly name = 'NotFoundError';
  declare readonly code: 'not_found';
}

/** 405 `method_not_allowed`: This path does not take that method; use one of those in the Allow header. */
export class MethodNotAllowedError extends StablecoinApiError {
  override readonly name = 'MethodNotAllowedError';
  declare readonly code: 'method_not_allowed';
}

/** 409 `approval_mismatch`: The payout sends something else than what was approved; look it up and approve the approval_hash that it shows. */
export class ApprovalMismatchError extends StablecoinApiError {
  override readonly name = 'ApprovalMismatchError';
  declare readonly code: 'approval_mismatch';
}

/** 409 `customer_not_empty`: The customer still has money or open payouts; move the money out, then close it. */
export class CustomerNotEmptyError extends StablecoinApiError {
  override readonly name = 'CustomerNotEmptyError';
  declare readonly code: 'customer_not_empty';
}

/** 409 `customer_type_mismatch`: The customer is of the other type; use the endpoint for its customer_type. */
export class CustomerTypeMismatchError extends StablecoinApiError {
  override readonly name = 'CustomerTypeMismatchError';
  declare readonly code: 'customer_type_mismatch';
}

/** 409 `document_used`: A customer has this document already; send the document again, and name the new document_id. */
export class DocumentUsedError extends StablecoinApiError {
  override readonly name = 'DocumentUsedError';
  declare readonly code: 'document_used';
}

/** 409 `email_taken`: Another customer has this e-mail address; use another one, or update that customer. */
export class EmailTakenError extends StablecoinApiError {
  override readonly name = 'EmailTakenError';
  declare readonly code: 'email_taken';
}

/** 409 `idempotency_in_flight`: A request with this Idempotency-Key is still running; send it again in a moment. */
export class IdempotencyInFlightError extends StablecoinApiError {
  override readonly name = 'IdempotencyInFlightError';
  declare readonly code: 'idempotency_in_flight';
}

/** 409 `invalid_transition`: The payout or deposit is not in a state that allows this, or its chain alone decides; look up its current status. */
export class InvalidTransitionError extends StablecoinApiError {
  override readonly name = 'InvalidTransitionError';
  declare readonly code: 'invalid_transition';
}

/** 409 `phone_taken`: Another customer has this phone number; use another one, or update that customer. */
export class PhoneTakenError extends StablecoinApiError {
  override readonly name = 'PhoneTakenError';
  declare readonly code: 'phone_taken';
}

/** 409 `proof_pending`: There is no proof yet; ask again after the next checkpoint. */
export class ProofPendingError extends StablecoinApiError {
  override readonly name = 'ProofPendingError';
  declare readonly code: 'proof_pending';
}

/** 409 `quote_required`: There is no open quote for this swap; create one first. */
export class QuoteRequiredError extends StablecoinApiError {
  override readonly name = 'QuoteRequiredError';
  declare readonly code: 'quote_required';
}

/** 409 `quote_used`: This quote was used already; create a new one. */
export class QuoteUsedError extends StablecoinApiError {
  override readonly name = 'QuoteUsedError';
  declare readonly code: 'quote_used';
}

/** 409 `storage_quota_reached`: The merchant has as many documents stored as it may; ask the operator for a higher quota. */
export class StorageQuotaReachedError extends StablecoinApiError {
  override readonly name = 'StorageQuotaReachedError';
  declare readonly code: 'storage_quota_reached';
}

/** 409 `wallet_exists`: The owner has this wallet already; use it, or name a network that it lacks. */
export class WalletExistsError extends StablecoinApiError {
  override readonly name = 'WalletExistsError';
  declare readonly code: 'wallet_exists';
}

/** 409 `webhook_limit_reached`: There are as many webhooks as a merchant may have; delete one that is no longer needed. */
export class WebhookLimitReachedError extends StablecoinApiError {
  override readonly name = 'WebhookLimitReachedError';
  declare readonly code: 'webhook_limit_reached';
}

/** 413 `payload_too_large`: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its documents, and 15 MiB with them. */
export class PayloadTooLargeError extends StablecoinApiError {
  override readonly name = 'PayloadTooLargeError';
  declare readonly code: 'payload_too_large';
}

/** 414 `uri_too_long`: The URL is too long; shorten it to at most 8192 characters. */
export class UriTooLongError extends StablecoinApiError {
  override readonly name = 'UriTooLongError';
  declare readonly code: 'uri_too_long';
}

/** 415 `unsupported_media_type`: The media type of the body is not taken here; send application/json, or a document by itself as multipart/form-data. */
export class UnsupportedMediaTypeError extends StablecoinApiError {
  override readonly name = 'UnsupportedMediaTypeError';
  declare readonly code: 'unsupported_media_type';
}

/** 422 `amount_too_small`: The amount is too small to give anything in the other currency; raise it. */
export class AmountTooSmallError extends StablecoinApiError {
  override readonly name = 'AmountTooSmallError';
  declare readonly code: 'amount_too_small';
}

/** 422 `customer_closed`: The customer is closed; changes and movements are no longer possible. */
export class CustomerClosedError extends StablecoinApiError {
  override readonly name = 'CustomerClosedError';
  declare readonly code: 'customer_closed';
}

/** 422 `idempotency_key_reused`: This Idempotency-Key was used with another request; take a new one. */
export class IdempotencyKeyReusedError extends StablecoinApiError {
  override readonly name = 'IdempotencyKeyReusedError';
  declare readonly code: 'idempotency_key_reused';
}

/** 422 `insufficient_funds`: The wallet does not hold enough for amount and fee; add money or lower the amount. */
export class InsufficientFundsError extends StablecoinApiError {
  override readonly name = 'InsufficientFundsError';
  declare readonly code: 'insufficient_funds';
}

/** 422 `kyc_required`: The customer is not approved yet; payouts are possible once kyc_status is approved. */
export class KycRequiredError extends StablecoinApiError {
  override readonly name = 'KycRequiredError';
  declare readonly code: 'kyc_required';
}

/** 422 `limit_exceeded`: The policy lets no such payout go out now; look the policy up, lower the amount, or wait until less has gone out. */
export class LimitExceededError extends StablecoinApiError {
  override readonly name = 'LimitExceededError';
  declare readonly code: 'limit_exceeded';
}

/** 422 `quote_expired`: The quote has expired; refresh it and execute the swap again. */
export class QuoteExpiredError extends StablecoinApiError {
  override readonly name = 'QuoteExpiredError';
  declare readonly code: 'quote_expired';
}

/** 422 `quote_mismatch`: The quote is for other currencies or another amount; send those that it was made for. */
export class QuoteMismatchError extends StablecoinApiError {
  override readonly name = 'QuoteMismatchError';
  declare readonly code: 'quote_mismatch';
}

/** 422 `rail_unavailable`: No rail takes payouts of a live merchant there yet; nothing was held; ask your operator when there will be one. */
export class RailUnavailableError extends StablecoinApiError {
  override readonly name = 'RailUnavailableError';
  declare readonly code: 'rail_unavailable';
}

/** 422 `unsupported_pair`: These two currencies can not be exchanged; name two different ones. */
export class UnsupportedPairError extends StablecoinApiError {
  override readonly name = 'UnsupportedPairError';
  declare readonly code: 'unsupported_pair';
}

/** 422 `wallet_not_found`: The owner has no wallet in this currency; create it first. */
export class WalletNotFoundError extends StablecoinApiError {
  override readonly name = 'WalletNotFoundError';
  declare readonly code: 'wallet_not_found';
}

/** 429 `rate_limited`: Too many requests with this key or from this address, or documents without a customer; wait as long as Retry-After says. */
export class RateLimitedError extends StablecoinApiError {
  override readonly name = 'RateLimitedError';
  declare readonly code: 'rate_limited';
}

/** 431 `headers_too_large`: The headers are too large; send fewer or shorter ones. */
export class HeadersTooLargeError extends StablecoinApiError {
  override readonly name = 'HeadersTooLargeError';
  declare readonly code: 'headers_too_large';
}

/** 500 `internal_error`: Something went wrong on our side; send the request again with the same Idempotency-Key. */
export class InternalError extends StablecoinApiError {
  override readonly name = 'InternalError';
  declare readonly code: 'internal_error';
}

/** 503 `unavailable`: The service is not available right now; send the request again after Retry-After. */
export class UnavailableError extends StablecoinApiError {
  override readonly name = 'UnavailableError';
  declare readonly code: 'unavailable';
}

const ERROR_CLASSES = {
  malformed_json: MalformedJsonError,
  validation_failed: ValidationFailedError,
  invalid_api_key: InvalidApiKeyError,
  approver_not_allowed: ApproverNotAllowedError,
  insufficient_scope: InsufficientScopeError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  approval_mismatch: ApprovalMismatchError,
  customer_not_empty: CustomerNotEmptyError,
  customer_type_mismatch: CustomerTypeMismatchError,
  document_used: DocumentUsedError,
  email_taken: EmailTakenError,
  idempotency_in_flight: IdempotencyInFlightError,
  invalid_transition: InvalidTransitionError,
  phone_taken: PhoneTakenError,
  proof_pending: ProofPendingError,
  quote_required: QuoteRequiredError,
  quote_used: QuoteUsedError,
  storage_quota_reached: StorageQuotaReachedError,
  wallet_exists: WalletExistsError,
  webhook_limit_reached: WebhookLimitReachedError,
  payload_too_large: PayloadTooLargeError,
  uri_too_long: UriTooLongError,
  unsupported_media_type: UnsupportedMediaTypeError,
  amount_too_small: AmountTooSmallError,
  customer_closed: CustomerClosedError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  insufficient_funds: InsufficientFundsError,
  kyc_required: KycRequiredError,
  limit_exceeded: LimitExceededError,
  quote_expired: QuoteExpiredError,
  quote_mismatch: QuoteMismatchError,
  rail_unavailable: RailUnavailableError,
  unsupported_pair: UnsupportedPairError,
  wallet_not_found: WalletNotFoundError,
  rate_limited: RateLimitedError,
  headers_too_large: HeadersTooLargeError,
  internal_error: InternalError,
  unavailable: UnavailableError,
};

/** Every code that an answer can end with; a later version of the service may have more. */
export type ErrorCode = keyof typeof ERROR_CLASSES;

/** The error of a code; of one that is newer than this package, the class of them all. */
export function apiErrorOf(refusal: Refusal, facts: CallFacts): StablecoinApiError {
  const isKnown = Object.hasOwn(ERROR_CLASSES, refusal.code);
  const ErrorClass = isKnown ? ERROR_CLASSES[refusal.code as ErrorCode] : StablecoinApiError;
  return new ErrorClass(refusal, facts);
}
