import { ERROR_CODES } from '@stablecoin/contracts/wire/error-codes';
import { errorEnvelope } from './error-envelope';
import { ERROR_TABLE, messageOf } from './error-table';

const BY_STATUS: Record<number, readonly string[]> = {
  400: ['validation_failed', 'malformed_json'],
  401: ['invalid_api_key'],
  403: ['insufficient_scope', 'approver_not_allowed'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  409: [
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
  ],
  413: ['payload_too_large'],
  414: ['uri_too_long'],
  415: ['unsupported_media_type'],
  422: [
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
  ],
  429: ['rate_limited'],
  431: ['headers_too_large'],
  500: ['internal_error'],
  503: ['unavailable'],
};

describe('error table', () => {
  it('has every code, each under its status', () => {
    const expected = Object.entries(BY_STATUS).flatMap(([status, codes]) =>
      codes.map((code) => [code, Number(status)]),
    );
    const actual = Object.entries(ERROR_TABLE).map(([code, { status }]) => [code, status]);
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
    expect(Object.keys(ERROR_TABLE).sort()).toEqual([...ERROR_CODES].sort());
  });

  it.each(ERROR_CODES)('%s reads as a sentence', (code) => {
    expect(messageOf(code)).toMatch(/^[A-Z].{20,120}\.$/);
  });

  it('gives details for refused fields only', () => {
    const fields = [{ field: 'email', code: 'required', message: 'is required' }];
    expect(errorEnvelope('validation_failed', 'r1', fields)).toMatchObject({ errors: fields, request_id: 'r1' });
    expect(errorEnvelope('not_found', 'r1', fields)).not.toHaveProperty('errors');
  });
});
