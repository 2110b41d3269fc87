import { operationFor, problemsOf } from './documented-answers';

const ID = '0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80';
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'r1',
  ratelimit: '"default";r=199;t=0',
  'ratelimit-policy': '"default";q=200;w=2',
};
const WALLET = {
  id: ID,
  asset_type: 'FIAT',
  currency: 'USD',
  balance: '0.00000000',
  description: '',
  status: 'active',
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
  customer_id: null,
  addresses: [],
};
const NOT_FOUND = 'There is nothing here for this API key; check the path and the ids in the request.';
const UNAVAILABLE = 'The service is not available right now; send the request again after Retry-After.';
const refusal = (code: string) => ({
  status: 'error',
  code,
  message: code === 'unavailable' ? UNAVAILABLE : NOT_FOUND,
  request_id: 'r1',
});

function problems(status: number, body: unknown, headers: Record<string, string> = {}, path = `/wallets/${ID}`) {
  const sent = new Headers({ ...HEADERS, ...headers });
  for (const [name, value] of Object.entries(headers)) if (value === '') sent.delete(name);
  return problemsOf('GET', path, { status, headers: sent, text: JSON.stringify(body) });
}

describe('the judge of responses', () => {
  it.each([
    ['a success', 200, { status: 'success', data: WALLET }, {}, undefined],
    ['a refusal', 404, refusal('not_found'), {}, undefined],
    ['503 before the limit is known', 503, refusal('unavailable'), { 'retry-after': '1', ratelimit: '' }, undefined],
    ['a path that is not there', 404, refusal('not_found'), {}, '/nowhere'],
  ])('lets %s pass', (_what, status, body, headers, path) => {
    expect(problems(status, body, headers, path)).toEqual([]);
  });

  it.each([
    [
      'a further field',
      200,
      { status: 'success', data: { ...WALLET, secret: 1 } },
      {},
      /additional properties.*secret/,
    ],
    ['a missing field', 200, { status: 'success', data: { ...WALLET, balance: undefined } }, {}, /required.*balance/],
    ['another form', 200, { status: 'success', data: { ...WALLET, balance: '1.5' } }, {}, /balance must match/],
    ['an unknown status', 418, refusal('not_found'), {}, /status 418 is not documented/],
    ['a code of another route', 404, refusal('quote_used'), {}, /code must be equal/],
    ['a missing header', 404, refusal('not_found'), { 'x-request-id': '' }, /x-request-id is missing/],
    ['a header that belongs elsewhere', 404, refusal('not_found'), { allow: 'GET' }, /Allow is not documented/],
    ['another content type', 404, refusal('not_found'), { 'content-type': 'text/html' }, /content-type is text/],
    ['another request id', 404, { ...refusal('not_found'), request_id: 'r2' }, {}, /request_id/],
    ['a sentence of its own', 404, { ...refusal('not_found'), message: 'relation "x"' }, {}, /not the sentence/],
    ['no JSON', 404, undefined, {}, /body must be object/],
  ])('finds %s', (_what, status, body, headers, expected) => {
    expect(problems(status, body, headers).join('\n')).toMatch(expected);
  });

  it('lets nothing but refusals come from where nothing is', () => {
    expect(problems(200, { status: 'success', data: {} }, {}, '/nowhere')).toEqual([expect.stringContaining('200')]);
  });

  it('knows which operation serves a path', () => {
    expect(operationFor('GET', '/customers/x?y=1')?.path).toBe('/customers/{customerId}');
    expect(operationFor('HEAD', '/customers')?.path).toBe('/customers');
    expect(operationFor('DELETE', '/customers')).toBeUndefined();
    expect(operationFor('GET', '/customers/%zz')).toBeUndefined();
    expect(operationFor('GET', '/customers/')).toBeUndefined();
  });
});
