import { randomUUID } from 'node:crypto';
import { individual } from '@stablecoin/testing/person';
import { Client, dataOf, refusalOf } from './client';
import { covers } from './covers';
import { sendDocument } from './forms';
import { documentedRoutes } from './interface-document';
import { newClient } from './merchants';
import { ADDRESSES, business, createBusiness, createIndividual, deposit, openWallet } from './people';
import { Event, InnerEnvelope, PayoutMethod, Transaction, Webhook } from './resources';
import type { Section } from './sections';

covers('Rules: tenants and owners');

/** One thing of each kind that has an id, all of one merchant. */
type World = Record<Kind, string>;
type Kind =
  | 'person'
  | 'firm'
  | 'wallet'
  | 'quote'
  | 'payout'
  | 'txid'
  | 'deposit'
  | 'deposit txid'
  | 'reference'
  | 'method'
  | 'webhook'
  | 'event'
  | 'document';

/** 404 as for an id that doesn't exist; a search finds nothing, as for an id that doesn't exist. */
type Expected = 'not found' | 'nothing';

/**
 * Every route × every place for an id, and what is asked for there. A route of the interface document that has a place
 * for an id which isn't here fails the test below: add its line, and what else its request needs to BODIES.
 */
const MATRIX: [Section, string, Kind, Expected?][] = [
  ['GET /customers', 'query search', 'person', 'nothing'],
  ['GET /customers/{customerId}', 'path customerId', 'person'],
  ['PUT /individual-customers/{customerId}', 'path customerId', 'person'],
  ['PUT /business-customers/{customerId}', 'path customerId', 'firm'],
  ['POST /customers/{customerId}/close', 'path customerId', 'person'],
  ['POST /individual-customers', 'body documents.0.document_id', 'document'],
  ['POST /individual-customers', 'body user_documents.0.document_id', 'document'],
  ['PUT /individual-customers/{customerId}', 'body documents.0.document_id', 'document'],
  ['PUT /individual-customers/{customerId}', 'body user_documents.0.document_id', 'document'],
  ['POST /business-customers', 'body documents.0.document_id', 'document'],
  ['POST /business-customers', 'body user_documents.0.document_id', 'document'],
  ['POST /business-customers', 'body business_owners.0.supporting_documents.0.document_id', 'document'],
  ['PUT /business-customers/{customerId}', 'body documents.0.document_id', 'document'],
  ['PUT /business-customers/{customerId}', 'body user_documents.0.document_id', 'document'],
  ['PUT /business-customers/{customerId}', 'body business_owners.0.supporting_documents.0.document_id', 'document'],
  ['POST /wallets', 'body customer_id', 'person'],
  ['GET /wallets', 'query customer_id', 'person'],
  ['GET /wallets/{wallet_id}', 'path wallet_id', 'wallet'],
  ['POST /instant-swaps', 'body customer_id', 'person'],
  ['POST /swaps/{swapId}/refresh', 'path swapId', 'quote'],
  ['POST /swaps/{swapId}/refresh', 'body customer_id', 'person'],
  ['GET /swaps/{swapId}', 'path swapId', 'quote'],
  ['POST /swaps', 'body customer_id', 'person'],
  ['POST /swaps', 'body quote_id', 'quote'],
  ['POST /payouts/banks', 'body customer_id', 'person'],
  ['POST /payouts/wallets', 'body customer_id', 'person'],
  ['POST /payouts/{transaction_id}/approve', 'path transaction_id', 'payout'],
  ['POST /payouts/{transaction_id}/approve', 'path transaction_id', 'txid'],
  ['POST /payouts/{transaction_id}/reject', 'path transaction_id', 'payout'],
  ['POST /payouts/{transaction_id}/reject', 'path transaction_id', 'txid'],
  ['GET /payout/methods', 'query customer_id', 'person'],
  ['POST /payout/methods/wallets', 'body customer_id', 'person'],
  ['POST /payout/methods/banks', 'body customer_id', 'person'],
  ['DELETE /payout/methods/{payout_method_id}', 'path payout_method_id', 'method'],
  ['DELETE /payout/methods/{payout_method_id}', 'body customer_id', 'person'],
  ['GET /transactions', 'query customer_id', 'person'],
  ['GET /transactions', 'query search', 'payout', 'nothing'],
  ['GET /transactions', 'query search', 'txid', 'nothing'],
  ['GET /transactions', 'query transaction_id', 'txid', 'nothing'],
  ['GET /customers/transactions/by_customer_id/{customer_id}', 'path customer_id', 'person'],
  ['GET /customers/transactions/by_customer_id/{customer_id}', 'query search', 'txid', 'nothing'],
  ['GET /customers/transactions/by_txid/{transaction_id}', 'path transaction_id', 'txid'],
  ['GET /customers/transactions/by_ref_id/{reference_id}', 'path reference_id', 'reference'],
  ['GET /webhooks/{webhook_id}', 'path webhook_id', 'webhook'],
  ['PUT /webhooks/{webhook_id}', 'path webhook_id', 'webhook'],
  ['DELETE /webhooks/{webhook_id}', 'path webhook_id', 'webhook'],
  ['POST /webhooks/{webhook_id}/rotate-secret', 'path webhook_id', 'webhook'],
  ['POST /webhooks/{webhook_id}/test', 'path webhook_id', 'webhook'],
  ['GET /events/{event_id}', 'path event_id', 'event'],
  ['POST /events/{event_id}/resend', 'path event_id', 'event'],
  ['GET /audit/balances', 'query wallet_id', 'wallet'],
  ['GET /audit/transactions/{transaction_id}', 'path transaction_id', 'txid'],
  ['GET /audit/proofs/{transaction_id}', 'path transaction_id', 'txid'],
  ['GET /audit/liabilities/{wallet_id}', 'path wallet_id', 'wallet'],
  ['POST /sandbox/deposits', 'body wallet_id', 'wallet'],
  ['POST /sandbox/deposits/{id}/complete', 'path id', 'deposit'],
  ['POST /sandbox/deposits/{id}/complete', 'path id', 'deposit txid'],
  ['POST /sandbox/deposits/{id}/fail', 'path id', 'deposit'],
  ['POST /sandbox/deposits/{id}/fail', 'path id', 'deposit txid'],
  ['POST /sandbox/deposits/{id}/reverse', 'path id', 'deposit'],
  ['POST /sandbox/deposits/{id}/reverse', 'path id', 'deposit txid'],
  ['POST /sandbox/payouts/{id}/complete', 'path id', 'payout'],
  ['POST /sandbox/payouts/{id}/complete', 'path id', 'txid'],
  ['POST /sandbox/payouts/{id}/fail', 'path id', 'payout'],
  ['POST /sandbox/payouts/{id}/fail', 'path id', 'txid'],
  ['POST /sandbox/payouts/{id}/return', 'path id', 'payout'],
  ['POST /sandbox/payouts/{id}/return', 'path id', 'txid'],
];

/** The rest of a request that would be taken. */
const PAIR = { from_currency: 'USD', to_currency: 'EUR' };
const BANK = { account_number: '01230009', bank_code: '1' };
const BODIES: Partial<Record<Section, Record<string, unknown>>> = {
  'POST /individual-customers': individual(),
  'POST /business-customers': business(),
  'PUT /individual-customers/{customerId}': { first_name: 'Eve' },
  'PUT /business-customers/{customerId}': { business_name: 'Eve' },
  'POST /wallets': { currency: 'GBP' },
  'POST /instant-swaps': { ...PAIR, amount: '1' },
  'POST /swaps/{swapId}/refresh': { ...PAIR, from_amount: '1' },
  'POST /swaps': { ...PAIR, amount: '1' },
  'POST /payouts/banks': { currency: 'USD', amount: '1', ...BANK, recipient_name: 'Eve' },
  'POST /payouts/wallets': { currency: 'USDT', amount: 1, address: ADDRESSES.trc20, network: 'trc20' },
  'POST /payouts/{transaction_id}/approve': { approval_hash: '0'.repeat(64) },
  'POST /payout/methods/wallets': { currency: 'USDT', wallet_address: ADDRESSES.trc20, network: 'trc20' },
  'POST /payout/methods/banks': { currency: 'USD', ...BANK },
  'POST /sandbox/deposits': { amount: '1' },
};

const EVERY_SCOPE = ['--scopes', 'read,write,payout,approve'];
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9/hook';

/** Parameters of paths, where another place of the request is tested. */
const OWN: Record<string, Kind> = {
  customerId: 'person',
  swapId: 'quote',
  payout_method_id: 'method',
  customer_id: 'person',
};

let merchant: Client;
let otherMerchant: Client;
let own: World;
/** When everything was there. */
let now: string;
let other: World;

beforeAll(async () => {
  [merchant, otherMerchant] = [await newClient(EVERY_SCOPE), await newClient()];
  [own, other] = [await worldOf(merchant), await worldOf(otherMerchant)];
  now = new Date().toISOString();
});

it('the matrix has every place for an id that the interface document has', () => {
  const documented = documentedRoutes().flatMap(({ route, ids }) => ids.map((place) => `${route}: ${place}`));
  const tested = new Set(MATRIX.map(([route, place]) => `${route}: ${place}`));
  expect(documented.filter((place) => !tested.has(place))).toEqual([]);
  expect(documented.length).toBeGreaterThanOrEqual(tested.size);
});

describe('another merchant’s id is answered like one that doesn’t exist', () => {
  it.each(MATRIX)('%s, %s: %s', async (route, place, kind, expected = 'not found') => {
    const texts = [];
    const unknown = kind.endsWith('txid') ? 'ZZZZZZZZZZ' : randomUUID();
    const malformed = place.startsWith('path') ? ['malformed', "'%20OR%201=1--", '%00', '..%2f', 'x'.repeat(300)] : [];
    for (const id of [other[kind], other[kind].toUpperCase(), unknown, ...malformed]) {
      const answer = await ask(route, place, id);
      texts.push(`${answer.status} ${answer.text}`);
    }
    expect([...new Set(texts)]).toEqual([texts[0]]);
    expect(texts[0]).toMatch(
      expected === 'nothing' ? /^200 .*"data":\[\]/ : /^404 \{"status":"error","code":"not_found"/,
    );
  });

  it('while its own merchant’s is found', async () => {
    for (const [route, place, kind] of MATRIX.filter(([route]) => route.startsWith('GET'))) {
      const { status, body } = await ask(route, place, own[kind]);
      const isThere = status === 200 || body.code === 'proof_pending';
      expect([route, place, status, isThere]).toEqual([route, place, status, true]);
      if (place !== 'query customer_id') expect([route, place, body.data]).not.toEqual([route, place, []]);
    }
  });

  it('and stays as it was after all of that', async () => {
    expect(await dataOf(otherMerchant.get(`/customers/${other.person}`))).toMatchObject({
      status: 'active',
      personal_info: { first_name: 'Ada' },
    });
    expect(await dataOf(otherMerchant.get(`/customers/${other.firm}`))).toMatchObject({
      business_info: { business_name: 'Marina Traders Ltd' },
    });
    expect(await dataOf(otherMerchant.get(`/wallets/${other.wallet}`))).toMatchObject({ balance: '99.00000000' });
    const payout = await dataOf(otherMerchant.get(`/customers/transactions/by_txid/${other.txid}`));
    expect(payout).toMatchObject({ status: 'PENDING' });
    const arrived = await dataOf(otherMerchant.get(`/customers/transactions/by_txid/${other['deposit txid']}`));
    expect(arrived).toMatchObject({ status: 'COMPLETED' });
    expect(await dataOf(otherMerchant.get<unknown[]>('/payout/methods'))).toHaveLength(1);
    expect(await dataOf(otherMerchant.get<unknown[]>('/webhooks'))).toHaveLength(1);
    expect(await dataOf(otherMerchant.get(`/swaps/${other.quote}`))).toMatchObject({ confirmed: false });
  });
});

/**
 * Customers of one merchant: neither the other customer nor the merchant itself finds what one owns, nor vice versa.
 */
describe('another owner’s quote or method', () => {
  let owners: Record<string, { customer_id?: string }>;
  const method = { currency: 'USDT', wallet_address: ADDRESSES.trc20, network: 'trc20' };

  beforeAll(async () => {
    owners = {
      Ada: { customer_id: (await createIndividual(merchant)).id },
      Bea: { customer_id: (await createIndividual(merchant)).id },
      merchant: {},
    };
  });

  it.each([
    ['Ada', 'Bea', '3'],
    ['Ada', 'merchant', '4'],
    ['merchant', 'Ada', '5'],
  ])('%s’s is not found for %s', async (owning, asking, amount) => {
    const swap = { from_currency: 'USD', to_currency: 'NGN', amount };
    const [whose, who] = [owners[owning], owners[asking]];
    const { data: quote } = await dataOf(merchant.post<InnerEnvelope>('/instant-swaps', { ...swap, ...whose }));
    const { id } = await dataOf(merchant.post<PayoutMethod>('/payout/methods/wallets', { ...method, ...whose }));
    const requests = (quoteId: string, methodId: string): [string, string, object][] => [
      ['POST', `/swaps/${quoteId}/refresh`, { ...swap, amount: undefined, from_amount: amount, ...who }],
      ['POST', '/swaps', { ...swap, quote_id: quoteId, ...who }],
      ['DELETE', `/payout/methods/${methodId}`, { ...who }],
    ];
    const unknown = requests(randomUUID(), randomUUID());
    for (const [index, [httpMethod, path, body]] of requests(quote.id, id).entries()) {
      const [, unknownPath = '', unknownBody] = unknown[index] ?? [];
      const refused = await merchant.send(httpMethod, path, body, SAME);
      const expected = await merchant.send(httpMethod, unknownPath, unknownBody, SAME);
      expect([path, refused.status, refused.text]).toEqual([path, 404, expected.text]);
    }
    await refusalOf(merchant.post('/swaps', { ...swap, ...who }), 409, 'quote_required');
    await dataOf(merchant.delete(`/payout/methods/${id}`, whose));
  });

  it('nor is its wallet or its history', async () => {
    const [ada, bea] = [owners['Ada'], owners['Bea']];
    await openWallet(merchant, { ...ada, currency: 'CAD' }, '5');
    const payout = { currency: 'CAD', amount: '1', ...BANK, recipient_name: 'Bea' };
    await refusalOf(merchant.post('/payouts/banks', { ...payout, ...bea }), 422, 'wallet_not_found');
    await refusalOf(merchant.post('/payouts/banks', payout), 422, 'wallet_not_found');
    expect(await dataOf(merchant.get(`/wallets?customer_id=${bea?.customer_id}`))).toEqual([]);
    expect(await dataOf(merchant.get(`/customers/transactions/by_customer_id/${bea?.customer_id}`))).toEqual([]);
    expect(await dataOf(merchant.get(`/transactions?customer_id=${bea?.customer_id}`))).toEqual([]);
    expect(await dataOf(merchant.get(`/payout/methods?customer_id=${bea?.customer_id}`))).toEqual([]);
  });
});

/** So that request_id is the same, too. */
const SAME = { headers: { 'x-request-id': 'same' } };

/** The route asked with `id` in one place; everything else in the request is the merchant's own and would be taken. */
function ask(route: Section, place: string, id: string) {
  const [method = '', template = ''] = route.split(' ');
  const [kind, name = ''] = place.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) =>
    kind === 'path' ? id : own[OWN[parameter] as Kind],
  );
  const asked = { ...(route === 'GET /audit/balances' && { as_of: now }), ...(kind === 'query' && { [name]: id }) };
  const query = `?${new URLSearchParams(asked).toString()}`;
  const body = kind === 'body' ? { ...BODIES[route], ...fieldAt(name.split('.'), id) } : BODIES[route];
  return merchant.send(method, query === '?' ? path : path + query, method === 'GET' ? undefined : body, SAME);
}

/** What else an object on the way to an id must have. */
const BESIDE = { doc_type: 'OTHER', first_name: 'Eve', last_name: 'Eve' };

function fieldAt([name = '', ...rest]: string[], id: string): Record<string, unknown> {
  if (rest.length === 0) return { [name]: id };
  const [, ...inner] = rest;
  const beside = name === 'business_owners' ? pick('first_name', 'last_name') : pick('doc_type');
  return { [name]: [{ ...beside, ...fieldAt(inner, id) }] };
}

const pick = (...names: (keyof typeof BESIDE)[]) => Object.fromEntries(names.map((name) => [name, BESIDE[name]]));

async function worldOf(client: Client): Promise<World> {
  const person = await createIndividual(client);
  const firm = await createBusiness(client);
  const wallet = await openWallet(client, { customer_id: person.id, currency: 'USD' }, '100');
  const purse = await openWallet(client, { currency: 'USD' });
  const arrived = await deposit(client, purse.id, '50');
  const quote = await dataOf(client.post<InnerEnvelope>('/instant-swaps', { ...PAIR, amount: '1' }));
  const bank = { customer_id: person.id, currency: 'USD', amount: '1', ...BANK, recipient_name: 'Ada' };
  const payout = await dataOf(client.post<Transaction>('/payouts/banks', bank));
  const method = { wallet_address: ADDRESSES.trc20, network: 'trc20', currency: 'USDT' };
  const saved = await dataOf(client.post<PayoutMethod>('/payout/methods/wallets', method));
  const webhook = await dataOf(client.post<Webhook>('/webhooks', { url: NOWHERE, events: ['payout.failed'] }));
  const [event] = await dataOf(client.get<Event[]>('/events?type=customer.created'));
  const document = await sendDocument(client);
  return {
    person: person.id,
    firm: firm.id,
    wallet: wallet.id,
    quote: quote.data.id,
    payout: payout.id,
    txid: payout.transaction_id,
    deposit: arrived.id,
    'deposit txid': arrived.transaction_id,
    reference: arrived.reference_id,
    method: saved.id,
    webhook: webhook.id,
    event: event?.id ?? '',
    document: document.document_id,
  };
}
