import { ERROR_CODES, ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { ERROR_TABLE, messageOf } from '@stablecoin/http-answers/error-table';
import { FIELD_CODE_TABLE } from '../errors/field-code-table';
import { JsonSchema } from '@stablecoin/http-answers/json-schema';
import { explained } from './glossary';

/**
 * The refusals of the interface document, from the error table: a response for each code, to which operations refer.
 * Where an operation has several codes of one status, that status lists the closed set of its codes.
 */

const REQUEST_ID: JsonSchema = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' };
const RATE_HEADERS = ['RateLimit', 'RateLimit-Policy'] as const;
type HeaderName =
  'x-request-id' | 'x-outcome' | 'Idempotency-Replayed' | 'Retry-After' | 'Allow' | (typeof RATE_HEADERS)[number];

/** Refused before the key is known, or by the HTTP parser: no rate limit applies, so no header states one. */
const WITHOUT_LIMIT: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['invalid_api_key', 'headers_too_large']);
/** Codes that may be given before the key is known as well as later. */
const PERHAPS_WITHOUT_LIMIT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'uri_too_long',
  'internal_error',
  'unavailable',
  'not_found',
]);
const OWN_HEADERS: Readonly<Partial<Record<ErrorCode, readonly HeaderName[]>>> = {
  method_not_allowed: ['Allow'],
  rate_limited: ['Retry-After'],
  unavailable: ['Retry-After', 'x-outcome'],
};

const HEADERS: Readonly<Record<HeaderName, object>> = {
  'x-request-id': header(
    "Names this request in the service's logs: the caller's own x-request-id, or a new UUID.",
    { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$', examples: ['0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80'] },
    true,
  ),
  'x-outcome': header(
    'There when the request was refused before anything was done; without it the outcome is unknown.',
    { type: 'string', const: 'none' },
    false,
  ),
  'Idempotency-Replayed': header(
    'There when the request had taken effect before and this is the stored response.',
    { type: 'string', const: 'true' },
    false,
  ),
  'Retry-After': header(
    'Seconds to wait before the request is sent again.',
    { type: 'integer', minimum: 1, examples: [1] },
    true,
  ),
  Allow: header('The methods that the path takes.', { type: 'string', examples: ['GET, HEAD, POST'] }, true),
  RateLimit: header(
    'What is left of the limit: r requests now, one more in t seconds (IETF draft).',
    { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$', examples: ['"default";r=199;t=0'] },
    true,
  ),
  'RateLimit-Policy': header(
    'The limit itself: q requests at once, filled anew in w seconds (IETF draft).',
    { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$', examples: ['"default";q=200;w=2'] },
    true,
  ),
};

/** No operation answers a method that it does not take: this one is written out where it is. */
const { Allow: _allow, ...SHARED_HEADERS } = HEADERS;
export { SHARED_HEADERS };

/** The headers of a success; those of a command also mark a repetition. */
export function successHeaders(isCommand: boolean): object {
  return headersOf(['x-request-id', ...(isCommand ? (['Idempotency-Replayed'] as const) : []), ...RATE_HEADERS]);
}

/**
 * One response for each code, under the code's name, with its status: no operation lists the status of a 405. Those that
 * no operation refers to stand apart: among the components, linters would take them for leftovers.
 */
export function refusals(paths: object): { referred: Record<string, object>; others: Record<string, object> } {
  const text = JSON.stringify(paths);
  const isReferred = (code: ErrorCode) => text.includes(JSON.stringify(refusalRef(code)));
  const named = (codes: readonly ErrorCode[]) =>
    Object.fromEntries(codes.map((code) => [code, { ...responseWith([code]), 'x-status': ERROR_TABLE[code].status }]));
  return {
    referred: named(ERROR_CODES.filter(isReferred)),
    others: named(ERROR_CODES.filter((code) => !isReferred(code))),
  };
}

const refusalRef = (code: ErrorCode) => ({ $ref: `#/components/responses/${code}` });

/** The responses of an operation that ends with these codes, by status. */
export function refusalsWith(codes: Iterable<ErrorCode>): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERROR_TABLE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const statuses = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(statuses.map(([status, here]) => [status, refusalOf(here)]));
}

function refusalOf(codes: readonly ErrorCode[]): object {
  const [only, ...more] = codes;
  return only !== undefined && more.length === 0 ? refusalRef(only) : responseWith(codes);
}

function responseWith(codes: readonly ErrorCode[]): object {
  return {
    description: codes.map((code) => `\`${code}\`: ${messageOf(code)}`).join('\n\n'),
    headers: headersWith(codes),
    content: { 'application/json': { schema: schemaWith(codes) } },
  };
}

function headersWith(codes: readonly ErrorCode[]): object {
  const own = codes.flatMap((code) => OWN_HEADERS[code] ?? []);
  const limited = codes.some((code) => !WITHOUT_LIMIT.has(code)) ? RATE_HEADERS : [];
  const always = headersOf(['x-request-id', ...own, ...limited]);
  if (!codes.some((code) => PERHAPS_WITHOUT_LIMIT.has(code))) return always;
  return {
    ...always,
    ...Object.fromEntries(RATE_HEADERS.map((name) => [name, { ...HEADERS[name], required: false }])),
  };
}

function headersOf(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, headerOf(name)]));
}

function headerOf(name: HeaderName): object {
  return name in SHARED_HEADERS ? { $ref: `#/components/headers/${name}` } : HEADERS[name];
}

/** Only `validation_failed` lists the refused fields. */
function schemaWith(codes: readonly ErrorCode[]): JsonSchema {
  const others = codes.filter((code) => code !== 'validation_failed');
  const fields: JsonSchema = { $ref: '#/components/schemas/ValidationError' };
  if (others.length === 0) return fields;
  return others.length === codes.length ? errorWith(others) : { oneOf: [fields, errorWith(others)] };
}

/** The error's schema written out in place: not every tool accepts a reference with further constraints. */
function errorWith(codes: readonly ErrorCode[]): JsonSchema {
  const schema = closed({
    status: { type: 'string', const: 'error' },
    code: { type: 'string', enum: codes },
    message: { type: 'string', examples: codes.slice(0, 1).map(messageOf) },
    request_id: REQUEST_ID,
  });
  return explained(schema, 'Error');
}

function header(description: string, schema: JsonSchema, required: boolean): object {
  return { description, required, schema };
}

export function errorSchemas(): Record<string, JsonSchema> {
  return {
    ValidationError: closed({
      status: { type: 'string', const: 'error' },
      code: { type: 'string', const: 'validation_failed' },
      message: { type: 'string', examples: [messageOf('validation_failed')] },
      errors: { type: 'array', items: { $ref: '#/components/schemas/FieldError' } },
      request_id: REQUEST_ID,
    }),
    FieldError: closed({
      field: { type: 'string', examples: ['registered_address.country'] },
      code: { type: 'string', enum: Object.keys(FIELD_CODE_TABLE) },
      message: { type: 'string', examples: ['is required'] },
    }),
  };
}

function closed(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
