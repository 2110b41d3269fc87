/**
 * How long bodies of the worst shapes occupy the event loop: scanned, parsed, validated, and, where they pass, put into
 * their canonical text. Each shape fills the largest body that a route takes, documents aside. None may take 20 ms.
 */
import 'reflect-metadata';
import { performance } from 'node:perf_hooks';
import { median } from '@stablecoin/benchmarking/measure';
import { report } from '@stablecoin/benchmarking/report';
import { RequestClass } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { CreateBusinessBody, CreateIndividualBody } from '../src/customers/customer-requests';
import { UpdateBusinessBody } from '../src/customers/customer-updates';
import { readLargeJson } from '../src/documents/large-json';
import { DOCUMENTS_JSON_BOUNDS, JSON_BOUNDS, parseJsonBody } from '@stablecoin/http-answers/json-body';
import { JsonBounds } from '@stablecoin/http-answers/json-scan';
import { canonicalJson } from '../src/idempotency/canonical-json';
import { PayOutToBankBody } from '@stablecoin/merchant-resources/payouts/payout-requests';
import { CreateWebhookBody } from '@stablecoin/merchant-resources/webhooks/webhook-requests';

const BODY_BYTES = 100 * 1024;
const WARM_UPS = 5;
const RUNS = 15;

const filled = (bytes: number, part: string): string => part.repeat(Math.floor(bytes / part.length));
const list = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_none, index) => item(index)).join(',');
const members = (count: number, value: string): string => list(count, (index) => `"f${index}":${value}`);

/** @param bytes how large the body becomes  @param field a field of the route's class */
const SHAPES: Record<string, (bytes: number, field: string) => string> = {
  'empty lists': (bytes) => `[${list(bytes / 3, () => '[]')}]`,
  'empty lists in a field': (bytes, field) => `{"${field}":[${list(bytes / 3 - 10, () => '[]')}]}`,
  '999 empty lists in a field': (_bytes, field) => `{"${field}":[${list(998, () => '[]')}]}`,
  '998 objects in a field': (_bytes, field) => `{"${field}":[${list(998, () => '{}')}]}`,
  numbers: (bytes, field) => `{"${field}":[${list(bytes / 2 - 20, () => '1')}]}`,
  nesting: (bytes) => filled(bytes / 2, '[') + filled(bytes / 2, ']'),
  '19 levels': (_bytes, field) => `{"${field}":${filled(18, '[')}${filled(18, ']')}}`,
  'unknown names': (bytes) => `{${members(bytes / 10, '1')}}`,
  '999 unknown names': () => `{${members(999, '1')}}`,
  'a repeated name': (bytes) => `{${list(bytes / 6, () => '"f":1')}}`,
  'a number of many digits': (bytes, field) => `{"${field}":${filled(bytes - 30, '9')}}`,
  'a fraction of many digits': (bytes, field) => `{"${field}":0.${filled(bytes - 30, '1')}e-300}`,
  'huge numbers': (_bytes, field) => `{"${field}":[${list(998, () => '1e9999')}]}`,
  'a long text': (bytes, field) => `{"${field}":"${filled(bytes - 30, 'a')}"}`,
  'white space in a text': (bytes, field) => `{"${field}":"x${filled(bytes - 30, ' ')}x"}`,
  'white space': (bytes, field) => `{"${field}":${filled(bytes - 30, ' ')}1}`,
  escapes: (bytes, field) => `{"${field}":"${filled(bytes - 30, '\\u0061')}"}`,
  'escaped quotes': (bytes, field) => `{"${field}":"${filled(bytes - 30, '\\"')}"}`,
  'combining marks': (bytes, field) => `{"${field}":"a${filled(bytes / 2 - 30, '\u0315\u0300')}"}`,
  'marks in the reverse order': (bytes, field) =>
    `{"${field}":"a${filled(bytes / 4 - 30, '\u0315')}${filled(bytes / 4 - 30, '\u0316')}"}`,
  'marks, 2,000': (_bytes, field) => `{"${field}":"a${filled(1_000, '\u0315')}${filled(1_000, '\u0316')}"}`,
  Hangul: (bytes, field) => `{"${field}":"${filled(bytes / 3 - 30, '\u1112\u1161\u11ab')}"}`,
  emoji: (bytes, field) => `{"${field}":"${filled(bytes / 2 - 30, '👍')}"}`,
  'lone surrogates': (bytes, field) => `{"${field}":"${filled(bytes - 30, '\\ud800')}"}`,
  points: (bytes, field) => `{"${field}":"a@${filled(bytes - 30, 'a.')}"}`,
  'an address': (bytes, field) => `{"${field}":"https://${filled(bytes - 60, 'a.')}co"}`,
  'a long name': (bytes) => `{"${filled(bytes - 30, '\u00e9')}":1}`,
};

const CLASSES: [string, RequestClass<object>, readonly string[], JsonBounds][] = [
  [
    'bank payout',
    PayOutToBankBody,
    ['recipient_name', 'amount', 'account_number', 'customer_id', 'currency'],
    JSON_BOUNDS,
  ],
  ['webhook', CreateWebhookBody, ['url', 'events'], JSON_BOUNDS],
  [
    'individual',
    CreateIndividualBody,
    ['first_name', 'documents', 'email', 'registered_address'],
    DOCUMENTS_JSON_BOUNDS,
  ],
  [
    'business',
    CreateBusinessBody,
    ['nature_of_business', 'business_owners', 'business_website'],
    DOCUMENTS_JSON_BOUNDS,
  ],
  ['update', UpdateBusinessBody, ['account_purpose', 'id', 'address', 'user_documents'], DOCUMENTS_JSON_BOUNDS],
];

/** The largest that a business may be: fifty owners with ten documents each, given by URL. */
function largestBusiness(broken: boolean): string {
  const text = broken ? 1 : 'text';
  const document = {
    doc_type: text,
    sub_type: text,
    doc_image: broken ? 1 : 'https://a.co/x',
    doc_country: broken ? 1 : 'NG',
  };
  const documents = Array.from({ length: 10 }, () => document);
  const owner = {
    first_name: text,
    last_name: text,
    email: broken ? 1 : 'a@b.co',
    phone_number: broken ? 1 : '+2348012345678',
    date_of_birth: broken ? 1 : '1980-01-01',
    ownership_percentage: broken ? 'x' : 2,
    is_signer: broken ? 1 : true,
    title: text,
    address: { street1: text, city: text, state: text, country: broken ? 1 : 'NG' },
    id_number: text,
    supporting_documents: documents,
  };
  const owners = Array.from({ length: 50 }, () => owner);
  return JSON.stringify({
    business_name: text,
    email: 'a@b.co',
    phone: '+2348012345678',
    business_owners: owners,
    documents,
  });
}

function outcomeOf(type: RequestClass<object>, bytes: Buffer, bounds: JsonBounds): string {
  try {
    const body = parseJsonBody(bytes, bounds);
    validateRequest(type, body);
    canonicalJson(body);
    return 'passes';
  } catch (error) {
    if (error instanceof Refusal) return error.fields?.[0]?.code ?? error.code;
    throw error;
  }
}

interface Timed {
  name: string;
  ms: number;
  outcome: string;
}

function timed(name: string, type: RequestClass<object>, text: string, bounds: JsonBounds): Timed {
  const bytes = Buffer.from(text);
  let outcome = '';
  const times: number[] = [];
  for (let run = 0; run < WARM_UPS + RUNS; run += 1) {
    const begun = performance.now();
    outcome = outcomeOf(type, bytes, bounds);
    if (run >= WARM_UPS) times.push(performance.now() - begun);
    if (run === 0 && performance.now() - begun > 500) return { name, ms: performance.now() - begun, outcome };
  }
  return { name, ms: median(times), outcome };
}

function main(): void {
  const all: Timed[] = [];
  for (const [route, type, fields, bounds] of CLASSES) {
    for (const [shape, make] of Object.entries(SHAPES)) {
      for (const field of fields)
        all.push(timed(`${route}, ${field}: ${shape}`, type, make(BODY_BYTES, field), bounds));
    }
  }
  for (const broken of [false, true]) {
    const name = `business: the largest, ${broken ? 'every field wrong' : 'valid'}`;
    all.push(timed(name, CreateBusinessBody, largestBusiness(broken), DOCUMENTS_JSON_BOUNDS));
  }
  const many = { depthMax: 20, valuesMax: 10_000, namesMax: 10_000 };
  all.push(timed('business: 9,900 unknown names', CreateBusinessBody, `{${members(9_900, '1')}}`, many));
  all.push(
    timed('business: 9,900 owners', CreateBusinessBody, `{"business_owners":[${list(9_900, () => '{}')}]}`, many),
  );
  all.push(timed('update: 9,900 values in id', UpdateBusinessBody, `{"id":[${list(9_900, () => '{}')}]}`, many));
  const large = Buffer.from(`{"first_name":"${filled(15e6, 'a')}"}`);
  // A worker reads a body this large; the event loop gets what is left of it.
  const left = JSON.stringify(readLargeJson(large, Buffer.alloc(32)).body);
  all.push(timed('individual: what a worker leaves of 15 MB of one text', CreateIndividualBody, left, many));
  all.sort((one, other) => other.ms - one.ms);
  for (const { name, ms, outcome } of all.slice(0, 25))
    process.stderr.write(`${ms.toFixed(2)} ms  ${name} (${outcome})\n`);
  report({ worst_body_ms: all[0]?.ms ?? 0, bodies: all.length }, process.argv.includes('--json'));
}

main();
