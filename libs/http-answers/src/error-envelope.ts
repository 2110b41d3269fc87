import { ErrorCode, FieldError } from '@stablecoin/contracts/wire/error-codes';
import { messageOf } from './error-table';

export interface ErrorEnvelope {
  status: 'error';
  code: ErrorCode;
  message: string;
  errors?: readonly FieldError[];
  request_id: string;
}

export function errorEnvelope(code: ErrorCode, requestId: string, fields?: readonly FieldError[]): ErrorEnvelope {
  const details = code === 'validation_failed' ? { errors: fields ?? [] } : {};
  return { status: 'error', code, message: messageOf(code), ...details, request_id: requestId };
}
