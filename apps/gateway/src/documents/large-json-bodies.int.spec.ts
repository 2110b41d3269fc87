import { createHash } from 'node:crypto';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { eventually } from '@stablecoin/testing/eventually';
import { call, keyOf, outcome, problems, standIns, useGateway, WALLET } from '../../testing/gateway-fixture';

useGateway();

const MIB = 1024 * 1024;
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4 * MIB, 7)]);
const person = {
  first_name: 'Ada',
  last_name: 'Obi',
  email: 'ada@example.com',
  phone: '+2348012345678',
  birth_date: '1990-05-17',
  account_purpose: 'PAYROLL',
  employment_status: 'EMPLOYED',
  expected_monthly_income: 2500,
  most_recent_occupation: '132011',
  source_of_funds: 'SALARY',
  registered_address: { street1: '1 Marina Road', city: 'Lagos', state: 'LA', country: 'NG' },
};
const document = { doc_type: 'valid_ids', doc_image: `data:application/pdf;base64,${PDF.toString('base64')}` };
const large = Buffer.from(JSON.stringify({ ...person, documents: [document, document] }));
const small = JSON.stringify({ ...person, documents: [] });
const register = (body: string | Buffer, headers: Record<string, string> = {}) =>
  call('POST', '/api/individual-customers', body, headers);

/** Ends with the test, so that what is under way stays under way. */
let end = (): void => undefined;
let stored: Promise<void>;

beforeEach(() => {
  stored = new Promise((resolve) => (end = resolve));
  standIns.on(uploadDocumentPart, async ({ upload_id }) => {
    await stored;
    return { upload_id };
  });
  standIns.on<object, object>(createIndividualCustomer, () => {
    throw new Error('not of interest here');
  });
});
afterEach(() => end());

it('a large body is a small one with the documents uploaded, each with its digest', async () => {
  end();
  await register(large, { 'idempotency-key': 'a' });
  const sha256 = createHash('sha256').update(PDF).digest('hex');
  const parts = standIns.requestsTo(uploadDocumentPart);
  expect(new Set(parts.map((part) => part.sha256))).toEqual(new Set([sha256]));
  const first = parts
    .filter(({ upload_id }) => upload_id === parts[0]?.upload_id)
    .sort((a, b) => Number(a.part) - Number(b.part));
  expect(Buffer.concat(first.map(({ bytes }) => Buffer.from(String(bytes), 'base64'))).equals(PDF)).toBe(true);
  const [request] = standIns.requestsTo(createIndividualCustomer);
  const uploads = [...new Set(parts.map(({ upload_id }) => upload_id))].map((upload_id) => ({ upload_id }));
  expect(request).toMatchObject({ first_name: 'Ada', documents: uploads });
});

it('two are worked on at once, the next is refused at once, and a small one goes on', async () => {
  const two = [register(large), register(large, { 'x-api-key': keyOf({ merchant_id: WALLET }) })];
  const workedOn = () => new Set(standIns.requestsTo(uploadDocumentPart).map(({ upload_id }) => upload_id)).size;
  await eventually('two are worked on', () => workedOn() === 2);
  const refused = await register(large, { 'x-api-key': keyOf({ merchant_id: WALLET }) });
  expect([...outcome(refused), refused.headers.get('x-outcome'), refused.headers.get('retry-after')]).toEqual([
    503,
    'unavailable',
    'none',
    '1',
  ]);
  expect(outcome(await register(small))).toEqual([500, 'internal_error']);
  end();
  await Promise.all(two);
  expect(outcome(await register(large))).toEqual([500, 'internal_error']);
});

it.each<[string, string, string]>([
  ['lists', `[${'[],'.repeat(4.9 * MIB)}[]]`, ': too_many_values'],
  ['numbers', `[${'1,'.repeat(7 * MIB)}1]`, ': too_many_values'],
  ['names', `{${Array.from({ length: MIB }, (_none, index) => `"a${index}":1`).join()}}`, ': too_many_values'],
  ['one text', JSON.stringify({ ...person, first_name: 'é'.repeat(7 * MIB) }), 'first_name: invalid_text'],
])('a body of %s is refused, and not parsed on the event loop', async (_what, body, problem) => {
  const bytes = Buffer.from(body);
  const parse = jest.spyOn(JSON, 'parse');
  const answer = await register(bytes);
  const largestParsed = Math.max(...parse.mock.calls.map(([text]) => text.length));
  parse.mockRestore();
  expect(problems(answer)).toEqual([problem]);
  expect(largestParsed).toBeLessThan(100 * 1024);
});
