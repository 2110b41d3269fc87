/**
 * Every code that a merchant can get in an error, a closed set. Only the gateway knows the HTTP status of each code;
 * services and contracts use the codes alone.
 */
export const ERROR_CODES = [
  'validation_failed',
  'malformed_json',
  'invalid_api_key',
  'insufficient_scope',
  'approver_not_allowed',
  'not_found',
  'method_not_allowed',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'headers_too_large',
  'email_taken',
  'phone_taken',
  'document_used',
  'wallet_exists',
  'idempotency_in_flight',
  'quote_required',
  'quote_used',
  'customer_type_mismatch',
  'customer_not_empty',
  'invalid_transition',
  'approval_mismatch',
  'proof_pending',
  'webhook_limit_reached',
  'storage_quota_reached',
  'limit_exceeded',
  'insufficient_funds',
  'quote_expired',
  'quote_mismatch',
  'amount_too_small',
  'wallet_not_found',
  'customer_closed',
  'kyc_required',
  'rail_unavailable',
  'idempotency_key_reused',
  'unsupported_pair',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

const known: ReadonlySet<string> = new Set(ERROR_CODES);

export function isErrorCode(text: unknown): text is ErrorCode {
  return typeof text === 'string' && known.has(text);
}

/** One field that was refused: its path (`registered_address.country`), a stable code and a sentence without its value. */
export interface FieldError {
  field: string;
  code: string;
  message: string;
}
