import fc, { Arbitrary } from 'fast-check';
import { followed, Operation, OPERATIONS, Parameter, Schema } from './documented-answers';

/**
 * Random requests, built from the interface document: an operation is drawn, then a request that fits it, which is then
 * mostly damaged: a value that its schema forbids, a field too many, a body that is no JSON, another method. Fields
 * that take ids often get those of real resources, so that requests get past the first checks. The same seed makes the
 * same requests, ids aside.
 */
export interface RandomRequest {
  method: string;
  /** Below the API's root, query included. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Ids of existing resources, and other values that pass the first checks, by the name of the field or parameter. */
export type Known = Readonly<Record<string, readonly string[]>>;

/** In values only, never in a field's name: no response to a refused request may hold it. */
export const CANARY = 'c4n4ry';

/** Of the quotes that requests can name: a quote is refreshed for the same currencies and amount alone. */
export const QUOTED_EXCHANGE = {
  from_currency: ['USDT'],
  to_currency: ['NGN'],
  amount: ['10.50'],
  from_amount: ['10.50', '10.5'],
} as const satisfies Known;

const JSON_TYPE = 'application/json';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];
const TEXT_MAX = 60;
const FORM_TYPE = 'multipart/form-data; boundary=b';
const FORM = `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-${CANARY}\r\n--b--\r\n`;

export function randomRequests(known: Known): Arbitrary<RandomRequest> {
  return fc.constantFrom(...OPERATIONS).chain((operation) => requestFor(operation, known));
}

function requestFor(operation: Operation, known: Known): Arbitrary<RandomRequest> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  return fc
    .record({
      method: mostly(fc.constant(operation.method), fc.constantFrom(...METHODS), 30),
      path: pathOf(operation, inPath, known),
      query: queryOf(inQuery, known),
      headers: headersOf(),
      body: operation.method === 'GET' ? fc.constant(undefined) : bodyOf(operation, known),
    })
    .map(({ method, path, query, headers, body }) => {
      const type = operation.takesForm ? FORM_TYPE : JSON_TYPE;
      const own: Record<string, string> = body === undefined ? {} : { 'content-type': type };
      const sent = method === 'GET' || method === 'HEAD' ? undefined : body;
      return { method, path: `${path}${query}`, headers: { ...own, ...headers }, body: sent };
    });
}

/** `usual` this many times as often as `unusual`. */
function mostly<Value>(usual: Arbitrary<Value>, unusual: Arbitrary<Value>, times: number): Arbitrary<Value> {
  return fc.oneof({ arbitrary: usual, weight: times }, { arbitrary: unusual, weight: 1 });
}

/** What an operation ends, or what it can succeed with alone, is kept apart from what the others need. */
function knownFor({ method, path }: Operation, known: Known): Known {
  return {
    ...known,
    ...(path.endsWith('/close') && { customerId: known['closable'] ?? [] }),
    ...(path.startsWith('/sandbox/deposits/') && { id: known['deposit'] ?? [] }),
    ...(method === 'DELETE' && { webhook_id: known['deletable'] ?? [] }),
    ...(path.endsWith('/refresh') && QUOTED_EXCHANGE),
  };
}

function pathOf(operation: Operation, parameters: readonly Parameter[], known: Known): Arbitrary<string> {
  const knownHere = knownFor(operation, known);
  const values = parameters.map(({ name, schema }) =>
    mostly(
      fitting(schema, name, knownHere).map((value) => encodeURIComponent(String(value))),
      HOSTILE_SEGMENT,
      8,
    ),
  );
  return fc.tuple(...values).map((drawn) => {
    const byName = new Map(parameters.map(({ name }, index) => [name, drawn[index] ?? '']));
    return operation.path.replace(/\{(\w+)\}/g, (_whole, name: string) => byName.get(name) ?? '');
  });
}

const HOSTILE_SEGMENT = fc.oneof(
  fc.constantFrom(
    '%zz',
    '%00',
    '..%2f..',
    '%2e%2e',
    '.',
    '..',
    "'%20OR%201=1--",
    '%F0%9F%98%80',
    '%ff',
    'x'.repeat(500),
    '*',
    '-1',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map(encoded),
);

function queryOf(parameters: readonly Parameter[], known: Known): Arbitrary<string> {
  const given = parameters.map(({ name, schema, required }) => {
    const pair = mostly(fitting(schema, name, known).map(String), HOSTILE_TEXT, 6).map(
      (value) => `${name}=${encoded(value)}`,
    );
    return required ? pair.map((text) => [text]) : fc.array(pair, { maxLength: 1 });
  });
  const stray = fc.constantFrom(
    'foo=1',
    '__proto__=1',
    'constructor[a]=1',
    'page=1&page=2',
    '=',
    '&&',
    'a%zz=%zz',
    '%00=%00',
  );
  return fc.tuple(fc.tuple(...given), mostly(fc.constant(''), stray, 25)).map(([pairs, more]) => {
    const query = [...pairs.flat(), more].filter((part) => part !== '').join('&');
    return query === '' ? '' : `?${query}`;
  });
}

function headersOf(): Arbitrary<Record<string, string>> {
  const printable = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 300 });
  return mostly(
    fc.constant({}),
    fc.oneof(
      printable.map((key) => ({ 'idempotency-key': key.trim() || 'k' })),
      fc.constantFrom('a', 'b', 'c').map((key) => ({ 'idempotency-key': key })),
      printable.map((id) => ({ 'x-request-id': id.trim() || 'r' })),
      fc.constantFrom('', 'x', `sk_test_${CANARY}`, 'x'.repeat(5_000)).map((key) => ({ 'x-api-key': key })),
      fc
        .constantFrom(
          'text/plain',
          'application/xml',
          'multipart/form-data',
          'application/json; charset=utf-16',
          '/',
          'x',
        )
        .map((type) => ({ 'content-type': type })),
    ),
    4,
  );
}

function bodyOf(operation: Operation, known: Known): Arbitrary<string | undefined> {
  const { body: schema, takesForm } = operation;
  if (takesForm) return mostly(fc.constant(FORM), fc.constantFrom(FORM.slice(0, -9), '', undefined), 4);
  const fits = schema ? fitting(schema, '', knownFor(operation, known)) : fc.constantFrom(undefined, {});
  const bent = fits.chain((value) => bentOf(value));
  const whole = fc.oneof(
    { arbitrary: fits, weight: 14 },
    { arbitrary: bent, weight: 6 },
    { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 1 },
  );
  const text = whole.map((value) => (value === undefined ? undefined : JSON.stringify(value)));
  return fc
    .tuple(text, mostly(fc.constant(asItIs), fc.constantFrom(...SPOILERS), 12))
    .map(([body, spoil]) => spoil(body));
}

const asItIs = (body: string | undefined): string | undefined => body;

/** Damages the text of a body. */
const SPOILERS: readonly ((body?: string) => string | undefined)[] = [
  (body = '') => body.slice(0, -1),
  (body = '') => `${body}}`,
  (body = '') => `\ufeff${body}`,
  (body = '{}') => body.replace('{', '{"__proto__":{"admin":true},'),
  (body = '{}') => body.replace('{', '{"constructor":{"prototype":{}},'),
  (body = '{}') => body.replace('{', '{"amount":1e400,'),
  (body = '{}') => body.replace('{', '{"amount":123456789012345678901234567890.5,'),
  (body = '{}') => body.replace('{', '{"amount":NaN,'),
  (body = '{}') => body.replace('{', '{"currency":"\\ud800",'),
  (body = '{}') => `[${body}]`,
  () => '['.repeat(5_000),
  () => `{"a":${'['.repeat(200)}${']'.repeat(200)}}`,
  () => `{"description":"${'x'.repeat(110 * 1024)}"}`,
  () => '',
  () => 'null',
  () => '\u0000',
  () => undefined,
];

/** One field of the object replaced, removed or added. */
function bentOf(value: unknown): Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return HOSTILE;
  const names = Object.keys(value);
  const replaced = fc.tuple(fc.constantFrom(...(names.length > 0 ? names : ['x'])), HOSTILE);
  return fc.oneof(
    { arbitrary: replaced.map(([name, hostile]) => ({ ...value, [name]: hostile })), weight: 8 },
    { arbitrary: HOSTILE.map((hostile) => ({ ...value, surprise: hostile })), weight: 1 },
    {
      arbitrary: replaced.map(([name]) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))),
      weight: 1,
    },
  );
}

const HOSTILE_TEXT = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\u0000',
      `${CANARY}\u200b`,
      `\u202e${CANARY}`,
      '\ud800',
      `' OR 1=1; -- ${CANARY}`,
      `<b>${CANARY}</b>`,
    ],
    ...['%', '_', '../..', 'null', 'undefined', '[object Object]', '-1', '+1', '01', '.5', '1.', '1e5', '0x10', 'NaN'],
    ...[
      'Infinity',
      '1,5',
      '\u0661\u0662',
      '0',
      '0.00000000',
      '0.000000001',
      '9'.repeat(18),
      '9'.repeat(19),
      `1.${'0'.repeat(9)}`,
    ],
    ...[
      '2000-02-31',
      '0000-00-00',
      '9999-12-31',
      '2000-W05',
      '1990-05-17T00:00:00.000Z',
      '+0',
      '+2',
      'a@b',
      'https://',
      'USD ',
    ],
    ...[
      'x'.repeat(10_000),
      '\u{1f600}'.repeat(300),
      'e\u0301'.repeat(60),
      '00000000-0000-0000-0000-000000000000',
      'data:image/png;base64,',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const HOSTILE = fc.oneof(
  { arbitrary: HOSTILE_TEXT, weight: 4 },
  {
    arbitrary: fc.constantFrom<unknown>(
      ...[null, true, false, [], {}, [[]], [null], { a: CANARY }, 0, -1, 1.5, 1e21, 1e-9, 1e308, 0.1 + 0.2],
      ...[Number.MAX_SAFE_INTEGER + 2, -0, [CANARY], { toString: 1 }, { length: -1 }],
    ),
    weight: 3,
  },
  { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 },
);

/** A value as the schema wants it. */
function fitting(schema: Schema, name: string, known: Known): Arbitrary<unknown> {
  const { oneOf, anyOf, ...plain } = followed(schema);
  const good = known[name];
  if (good && good.length > 0) return mostly(fc.constantFrom(...good), fc.uuid(), 10);
  if (plain.const !== undefined) return fc.constant(plain.const);
  if (plain.enum) return fc.constantFrom(...plain.enum);
  const shapes = oneOf ?? anyOf;
  if (shapes) return fc.oneof(...shapes.map((shape) => fitting({ examples: plain.examples, ...shape }, name, known)));
  const types = [plain.type ?? 'string'].flat();
  const value = fittingType(types[0] ?? 'string', plain, name, known);
  return types.includes('null') ? mostly<unknown>(value, fc.constant(null), 8) : value;
}

function fittingType(type: string, schema: Schema, name: string, known: Known): Arbitrary<unknown> {
  const { minimum = 0, maximum = 1_000_000, examples } = schema;
  switch (type) {
    case 'object':
      return fittingObject(schema, known);
    case 'array':
      return fc.array(fitting(schema.items ?? {}, name, known), { maxLength: 2 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(fc.constantFrom(minimum, minimum + 1, maximum), fc.integer({ min: minimum, max: maximum }));
    case 'number':
      return fc.constantFrom(minimum, maximum, 1, 10.5, 0.01);
    case 'null':
      return fc.constant(null);
    default:
      return fittingText(schema, name, examples);
  }
}

function fittingObject({ properties = {}, required = [] }: Schema, known: Known): Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const value = fitting(schema, name, known);
    const presence = required.includes(name) ? value : mostly(fc.constant(undefined), value, 3);
    return [name, presence] as const;
  });
  return fc.record(Object.fromEntries(fields));
}

/** Unique where the service requires it; else the document's own example, or text at and between the bounds. */
function fittingText(schema: Schema, name: string, examples: unknown[] = []): Arbitrary<unknown> {
  const { format, pattern, minLength = 0, maxLength = TEXT_MAX } = schema;
  if (name === 'email') return fc.uuid().map((id) => `${id}@example.com`);
  if (name === 'phone') return fc.integer({ min: 10 ** 9, max: 10 ** 12 }).map((number) => `+${number}`);
  if (format === 'uuid') return fc.uuid();
  if (format === 'date') return fc.constantFrom('2000-02-29', '1990-01-01', '2026-01-31', ...examples);
  if (pattern || format || examples.length > 0) {
    const text = fc.string({ unit: 'grapheme-ascii', minLength, maxLength: Math.min(maxLength, TEXT_MAX) });
    return pattern || format || examples.length === 0
      ? constantOf(examples, text)
      : mostly(constantOf(examples, text), text, 2);
  }
  return fc.string({ unit: 'grapheme-ascii', minLength, maxLength: Math.min(maxLength, TEXT_MAX) });
}

function constantOf(examples: unknown[], otherwise: Arbitrary<unknown>): Arbitrary<unknown> {
  return examples.length > 0 ? fc.constantFrom(...examples) : otherwise;
}

/** For a URL; a text that is no Unicode has no such form. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
