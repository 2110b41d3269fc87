/**
 * What one caller can do to another. An attack is data: adding one is adding a line to the table. Each is tried with the
 * limits of production, so that much of it is refused; what is left must not be noticed by another merchant.
 */
import { randomUUID } from 'node:crypto';
import { BANK } from '@stablecoin/testing/journey';
import { individual } from '@stablecoin/testing/person';
import type { Attacker } from './load/attacker-account';
import {
  FORM_BOUNDARY,
  giantArrays,
  giantNumbers,
  honestRegistration,
  largestBusiness,
  nearlyBounded,
  smallestForm,
  unknownNames,
} from './load/bodies';
import { withWebhooks } from './load/webhooks';
import { attackerClient, type Load } from './load/load';
import { pipelined } from './load/pipelined';
import { rawConnections } from './load/raw-connections';
import { AttackCaller, callers, once, requests, shared, together } from './load/requests';

export interface Attack {
  name: string;
  /** What it does, in a sentence. */
  what: string;
  /** Built when the attack begins, in the attacker's process. */
  load: (attacker: Attacker) => Load;
  /** The victim registers customers with documents meanwhile: what such bodies share is what is attacked. */
  victimUploads?: true;
  /** Left out of the short form, for its time. */
  longOnly?: true;
}

const CUSTOMERS = '/individual-customers';
const BUSINESSES = '/business-customers';
/** Every wallet that an owner can have, each on every network. */
const WALLETS = [
  ...['trc20', 'erc20', 'bep20', 'solana', 'polygon'].map((network) => ({ currency: 'USDT', network })),
  ...['erc20', 'bep20', 'polygon', 'solana'].map((network) => ({ currency: 'USDC', network })),
];
const PAIR = { from_currency: 'USDT', to_currency: 'NGN', amount: '1' };
/** The kernel looks longer and longer for a free port of one address: from several they are open within a second or two. */
const TEN_THOUSAND = { count: 10_000, perSecond: 20_000 };
const DOCUMENT_HEADERS = ['content-type: multipart/form-data; boundary=part', 'content-length: 5000000'];
const DOCUMENT_BEGINS =
  '--part\r\ncontent-disposition: form-data; name="file"; filename="id.jpg"\r\ncontent-type: image/jpeg\r\n\r\n\xff';
/** As many names as headers of 31 KB hold. */
const MANY_HEADERS = Array.from({ length: 5_000 }, (_, number) => `${number.toString(36).padStart(3, 'h')}:`);
const { account_number, bank_code } = BANK;
const json = (body: object): string => JSON.stringify(body);

/** A request as it goes over the wire, without its body. */
const head = ({ apiKey }: Attacker, line: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'host: trial', `x-api-key: ${apiKey}`, ...headers, '', ''].join('\r\n');

const postHead = (attacker: Attacker, ...headers: readonly string[]) =>
  head(attacker, `POST /api${CUSTOMERS}`, 'content-type: application/json', ...headers);

/** The same without a key, of a path that need not be of the API. */
const keyless = (path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'host: trial', ...headers, '', ''].join('\r\n');

export const ATTACKS: readonly Attack[] = [
  {
    name: 'giant-arrays',
    what: '14.7 MB of empty arrays as a customer, twice a second',
    load: () => requests({ perSecond: 2, path: CUSTOMERS, body: giantArrays() }),
  },
  {
    name: 'giant-numbers',
    what: '7 million numbers as a customer, twice a second',
    load: () => requests({ perSecond: 2, path: CUSTOMERS, body: giantNumbers() }),
  },
  {
    name: 'giant-names',
    what: 'a customer with 1.25 million unknown fields, twice a second',
    load: () => requests({ perSecond: 2, path: CUSTOMERS, body: unknownNames(1_250_000) }),
  },
  {
    name: 'unknown-fields-10',
    what: '9,900 unknown fields in 100 KB, ten times a second',
    load: () => requests({ perSecond: 10, path: CUSTOMERS, body: unknownNames(9_900) }),
    longOnly: true,
  },
  {
    name: 'unknown-fields-50',
    what: '9,900 unknown fields in 100 KB, 50 times a second',
    load: () => requests({ perSecond: 50, path: CUSTOMERS, body: unknownNames(9_900) }),
  },
  {
    name: 'proofs',
    what: 'the proof of one transaction, 100 times a second, with a key that may only read',
    load: ({ transactionId, readOnlyKey }) =>
      requests({ perSecond: 100, path: `/audit/proofs/${transactionId}`, key: readOnlyKey }),
  },
  {
    name: 'webhook-tests-10',
    what: 'tests of an endpoint that never answers, ten a second',
    load: () => webhookTests(10),
    longOnly: true,
  },
  {
    name: 'webhook-tests-100',
    what: 'tests of an endpoint that never answers, 100 a second',
    load: () => webhookTests(100),
  },
  {
    name: 'declared-bodies',
    what: '18 connections that declare 15 MiB each, and 20 with 105 KB for what is left, and send nothing of it',
    load: (attacker) =>
      together(
        rawConnections({ count: 18, perSecond: 50, send: postHead(attacker, 'content-length: 15728640') }),
        rawConnections({ count: 20, perSecond: 50, send: postHead(attacker, 'content-length: 105000') }),
      ),
    victimUploads: true,
  },
  {
    name: 'documents',
    what: 'eight registrations at once with documents of 14 MB, again and again',
    load: () => {
      const body = honestRegistration();
      return callers(8, ({ client, tally }) => tally.outcomeOf(client.post(CUSTOMERS, undefined, { raw: body() })));
    },
  },
  {
    name: 'half-open',
    what: '10,000 connections of four addresses that begin a request and never go on',
    load: () => rawConnections({ ...TEN_THOUSAND, addresses: 4, send: 'POST /api/payouts/banks HTTP/1.1\r\n' }),
  },
  {
    name: 'half-open-spread',
    what: '10,000 connections of 100 addresses that send nothing',
    load: () => rawConnections({ ...TEN_THOUSAND, addresses: 100 }),
  },
  {
    name: 'hanging-webhooks',
    what: '20 endpoints that never answer, and 20 deposits a second of which each hears',
    load: (attacker) => withWebhooks(20, 'hangs', () => deposits(attacker, 20)),
  },
  {
    name: 'no-key',
    what: '200 requests a second without a key',
    load: () => requests({ perSecond: 200, path: '/wallets', key: null }),
  },
  {
    name: 'random-keys',
    what: '200 requests a second, each with another key that does not exist',
    load: () => requests({ perSecond: 200, path: '/wallets', key: () => `sk_test_${randomUUID()}` }),
  },
  {
    name: 'swaps',
    what: '64 callers that quote and swap without a pause',
    load: () => callers(64, swap),
  },
  {
    name: 'unused-quotes',
    what: '100 quotes a second that are never used',
    load: ({ customerId }) =>
      requests({ perSecond: 100, path: '/instant-swaps', body: json({ customer_id: customerId, ...PAIR }) }),
    longOnly: true,
  },
  {
    name: 'hot-wallet',
    what: '64 callers that deposit into one wallet without a pause',
    load: ({ walletId }) =>
      callers(64, ({ client, tally }) =>
        tally.outcomeOf(client.post('/sandbox/deposits', { wallet_id: walletId, amount: '1' })),
      ),
  },
  {
    name: 'payouts',
    what: '64 callers that pay out to a bank without a pause',
    load: ({ customerId }) =>
      callers(64, ({ client, tally }) =>
        tally.outcomeOf(
          client.post('/payouts/banks', { customer_id: customerId, currency: 'USDT', amount: '1', ...BANK }),
        ),
      ),
  },
  {
    name: 'same-key',
    what: '64 callers that repeat one deposit under one Idempotency-Key',
    load: ({ walletId }) => {
      const idempotencyKey = randomUUID();
      const body = { wallet_id: walletId, amount: '1' };
      return callers(64, ({ client, tally }) =>
        tally.outcomeOf(client.post('/sandbox/deposits', body, { idempotencyKey })),
      );
    },
  },
  {
    name: 'registrations',
    what: '100 new customers a second',
    load: () => requests({ perSecond: 100, path: CUSTOMERS, body: () => json(individual()) }),
  },
  {
    name: 'long-texts',
    what: 'updates of a customer with texts of 100 KB, 50 a second',
    load: ({ customerId }) =>
      requests({
        ...{ perSecond: 50, method: 'PUT', path: `${CUSTOMERS}/${customerId}` },
        body: json({ first_name: 'Ä'.repeat(50_000) }),
      }),
    longOnly: true,
  },
  {
    name: 'many-keys',
    what: 'five keys of one merchant, each at its limit: 500 lists a second',
    load: ({ furtherKeys }) =>
      requests({
        ...{ perSecond: 500, path: '/transactions?limit=100' },
        key: (number) => furtherKeys[number % furtherKeys.length] ?? '',
      }),
  },
  {
    name: 'deep-pages',
    what: 'lists of 100, page by page far beyond their end, 100 a second',
    load: () =>
      requests({ perSecond: 100, path: (number) => `/transactions?limit=100&page=${1 + ((number * 997) % 10_000)}` }),
    longOnly: true,
  },
  {
    name: 'wide-searches',
    what: 'searches for one character in transactions and customers, 100 a second',
    load: () =>
      requests({
        perSecond: 100,
        path: (number) =>
          `/${number % 2 ? 'customers' : 'transactions'}?limit=100&search=${(number % 16).toString(16)}`,
      }),
  },
  {
    name: 'past-balances',
    what: 'what a busy wallet held at changing moments, 100 a second',
    load: ({ walletId }) =>
      requests({
        perSecond: 100,
        path: (number) =>
          `/audit/balances?wallet_id=${walletId}&as_of=${new Date(Date.now() - 10_000 - number).toISOString()}`,
      }),
    longOnly: true,
  },
  {
    name: 'resent-events',
    what: 'one event sent again 100 times a second to 20 endpoints that never answer',
    load: ({ eventId }) =>
      withWebhooks(20, 'hangs', () => requests({ perSecond: 100, method: 'POST', path: `/events/${eventId}/resend` })),
  },
  {
    name: 'slow-headers',
    what: '1,000 connections that send one header a second',
    load: (attacker) =>
      rawConnections({
        ...{ count: 1_000, perSecond: 1_000, send: head(attacker, 'GET /api/wallets').slice(0, -2) },
        drip: { text: 'x-slow: 1\r\n', everyMs: 1_000 },
      }),
    longOnly: true,
  },
  {
    name: 'slow-bodies',
    what: '1,000 connections that send a body of 100 KB, a byte a second',
    load: (attacker) =>
      rawConnections({
        ...{ count: 1_000, perSecond: 1_000, send: postHead(attacker, 'content-length: 100000') },
        drip: { text: ' ', everyMs: 1_000 },
      }),
  },
  {
    name: 'slow-documents',
    what: '64 documents on their own route, of which ten bytes come a second',
    load: (attacker) =>
      rawConnections({
        ...{
          count: 64,
          perSecond: 64,
          send: head(attacker, 'POST /api/documents', ...DOCUMENT_HEADERS) + DOCUMENT_BEGINS,
        },
        drip: { text: 'x'.repeat(10), everyMs: 1_000 },
      }),
    victimUploads: true,
  },
  {
    name: 'tiny-chunks',
    what: '64 bodies in chunks of one byte, without an end',
    load: (attacker) =>
      rawConnections({
        ...{ count: 64, perSecond: 64, send: postHead(attacker, 'transfer-encoding: chunked') },
        drip: { text: '1\r\n \r\n'.repeat(500), everyMs: 50 },
      }),
  },
  {
    name: 'huge-headers',
    what: '31 KB of headers, 100 times a second',
    load: () => requests({ perSecond: 100, path: '/wallets', headers: { 'x-filler': 'a'.repeat(31_000) } }),
    longOnly: true,
  },
  {
    name: 'pipelining',
    what: '10,000 requests written at once to each of ten connections, from which nothing is read',
    load: (attacker) =>
      rawConnections({
        ...{ count: 10, perSecond: 10, reads: false },
        send: head(attacker, 'GET /api/wallets?limit=100').repeat(10_000),
      }),
  },
  {
    name: 'pipelined-without-key',
    what: '10,000 requests without a key written at once to each of ten connections',
    load: () =>
      rawConnections({
        count: 10,
        perSecond: 10,
        send: 'GET /api/wallets HTTP/1.1\r\nhost: trial\r\n\r\n'.repeat(10_000),
      }),
  },
  {
    name: 'garbage',
    what: '200 connections a second that speak no HTTP',
    load: () => rawConnections({ count: 200, perSecond: 200, send: Buffer.alloc(16_384, 0x16) }),
  },
  {
    name: 'resets',
    what: '500 connections a second that ask for something and are reset 5 ms later',
    load: (attacker) =>
      rawConnections({ count: 500, perSecond: 500, resetAfterMs: 5, send: head(attacker, 'GET /api/transactions') }),
  },
  {
    name: 'promised-bodies',
    what: '200 requests a second that ask whether they may send 15 MB (Expect: 100-continue)',
    load: (attacker) =>
      rawConnections({
        ...{ count: 400, perSecond: 200 },
        send: postHead(attacker, 'content-length: 15000000', 'expect: 100-continue'),
      }),
  },
  {
    name: 'unknown-pages',
    what: '1,000 connections that ask for pages that do not exist, 60 at once, again and again, without a key',
    load: () => pipelined({ connections: 1_000, depth: 60, request: keyless('/nothing') }),
  },
  {
    name: 'unread-pages',
    what: '9,900 connections of 100 addresses that ask for the interface document without a key, and read nothing',
    load: () =>
      rawConnections({
        ...{ count: 9_900, perSecond: 5_000, addresses: 100, reads: false },
        send: keyless('/openapi.json').repeat(4),
      }),
    longOnly: true,
  },
  {
    name: 'health-checks',
    what: '1,000 connections a second that ask whether the service is ready',
    load: () => rawConnections({ count: 1_000, perSecond: 1_000, send: keyless('/health/ready', 'connection: close') }),
  },
  {
    name: 'over-the-limit',
    what: '1,000 connections with one valid key that ask for 60 things at once, again and again',
    load: (attacker) => pipelined({ connections: 1_000, depth: 60, request: head(attacker, 'GET /api/asset-codes') }),
  },
  {
    name: 'many-parameters',
    what: 'lists with 1,500 parameters in their URL, 100 a second',
    load: () =>
      requests({ perSecond: 100, path: `/transactions?${Array.from({ length: 1_500 }, (_, n) => `${n}`).join('&')}` }),
    longOnly: true,
  },
  {
    name: 'quick-webhooks',
    what: '100 deposits a second, of each of which 20 endpoints hear that answer at once',
    load: (attacker) => withWebhooks(20, 'accepts', () => deposits(attacker, 100)),
  },
  {
    name: 'failing-webhooks',
    what: '100 deposits a second, of each of which 20 endpoints hear that answer 500',
    load: (attacker) => withWebhooks(20, 'fails', () => deposits(attacker, 100)),
    longOnly: true,
  },
  {
    name: 'odd-answers',
    what: '100 deposits a second, of which 20 endpoints hear that answer a byte at a time, without an end or elsewhere',
    load: (attacker) => withWebhooks(20, 'answersOddly', () => deposits(attacker, 100)),
    longOnly: true,
  },
  {
    name: 'large-customers',
    what: '40 businesses of 100 KB, and lists of all of them, 33 a second',
    load: (attacker) => async (run) => {
      const client = attackerClient(run, 8);
      const register = () => run.tally.outcomeOf(client.post(BUSINESSES, largestBusiness()));
      await Promise.all(Array.from({ length: 40 }, register));
      await requests({ perSecond: 40, path: '/customers?limit=100', key: anyKeyOf(attacker) })(run);
    },
  },
  {
    name: 'one-customer',
    what: '64 callers that change the same business of 100 KB',
    load: () => {
      const registered = once(({ client, tally }: AttackCaller) =>
        tally.outcomeOf(client.post<Identified>(BUSINESSES, largestBusiness())),
      );
      return callers(64, async (caller) => {
        const id = (await registered(caller))?.body.data.id ?? '';
        return caller.tally.outcomeOf(caller.client.put(`${BUSINESSES}/${id}`, largestBusiness()));
      });
    },
  },
  {
    name: 'changed-bodies',
    what: '64 callers that register other customers under the same Idempotency-Keys, at the same moment',
    load: () => {
      const key = shared(16, () => Promise.resolve(randomUUID()));
      return callers(64, async ({ client, tally }) =>
        tally.outcomeOf(client.post(CUSTOMERS, individual(), { idempotencyKey: await key() })),
      );
    },
  },
  {
    name: 'one-quote',
    what: '64 callers that execute and refresh the same quotes at the same moment',
    load: ({ customerId }) => {
      const pair = { customer_id: customerId, ...PAIR };
      const quoted = shared(16, ({ client, tally }: AttackCaller) =>
        tally.outcomeOf(client.post<{ data: Identified }>('/instant-swaps', pair)),
      );
      return callers(64, async (caller) => {
        const { client, tally, number } = caller;
        const id = (await quoted(caller))?.body.data.data.id ?? '';
        const { amount, ...currencies } = pair;
        if (number % 2) return tally.outcomeOf(client.post('/swaps', { ...pair, quote_id: id }));
        return tally.outcomeOf(client.post(`/swaps/${id}/refresh`, { ...currencies, from_amount: amount }));
      });
    },
  },
  {
    name: 'one-payout',
    what: '64 callers that say of the same payouts at the same moment that they completed, failed and returned',
    load: ({ customerId }) => {
      const held = shared(16, ({ client, tally }: AttackCaller) =>
        tally.outcomeOf(client.post<Identified>('/payouts/banks', payoutOf(customerId, 'sandbox:hold'))),
      );
      return callers(64, async (caller) => {
        const id = (await held(caller))?.body.data.id ?? '';
        const outcome = ['complete', 'fail', 'return'][caller.number % 3] ?? '';
        return caller.tally.outcomeOf(caller.client.post(`/sandbox/payouts/${id}/${outcome}`));
      });
    },
  },
  {
    name: 'returned-payouts',
    what: '64 callers that pay out what comes back, of which 20 endpoints hear',
    load: ({ customerId }) =>
      withWebhooks(20, 'accepts', () =>
        callers(64, ({ client, tally }) =>
          tally.outcomeOf(client.post('/payouts/banks', payoutOf(customerId, 'sandbox:return'))),
        ),
      ),
    longOnly: true,
  },
  {
    name: 'all-wallets',
    what: '64 callers that register customers, open wallets for each on every network, and close them again',
    load: () =>
      callers(64, async ({ client, tally }) => {
        const made = await tally.outcomeOf(client.post<Identified>(CUSTOMERS, individual()));
        const customer_id = made?.body.data.id;
        for (const terms of WALLETS)
          if (made) await tally.outcomeOf(client.post('/wallets', { customer_id, ...terms }));
        return made && tally.outcomeOf(client.post(`/customers/${customer_id ?? ''}/close`));
      }),
    longOnly: true,
  },
  {
    name: 'nearly-bounded',
    what: "documents of 5 MB that consist of what is nearly their form's boundary, 20 a second",
    load: (attacker) => documents(attacker, 20, nearlyBounded()),
  },
  {
    name: 'smallest-documents',
    what: 'documents of five bytes, 200 a second',
    load: (attacker) => documents(attacker, 200, smallestForm()),
    longOnly: true,
  },
  {
    name: 'endpoint-changes',
    what: 'new secrets for 20 endpoints and new addresses for them, 200 a second, while they hear of deposits',
    load: (attacker) =>
      withWebhooks(20, 'accepts', (ids) =>
        together(
          requests({
            ...{ perSecond: 200, method: 'POST', key: anyKeyOf(attacker) },
            path: (number) => `/webhooks/${ids[number % ids.length] ?? ''}/rotate-secret`,
          }),
          deposits(attacker, 20),
        ),
      ),
    longOnly: true,
  },
  {
    name: 'events',
    what: 'lists of events, 200 a second',
    load: (attacker) => requests({ perSecond: 200, path: '/events?limit=1', key: anyKeyOf(attacker) }),
    longOnly: true,
  },
  {
    name: 'texts-for-objects',
    what: 'updates of a customer with a text of 95 KB where an object belongs, 40 a second',
    load: (attacker) =>
      requests({
        ...{ perSecond: 40, method: 'PUT', path: `${CUSTOMERS}/${attacker.customerId}`, key: anyKeyOf(attacker) },
        body: json({ personal_info: 'a'.repeat(95_000) }),
      }),
  },
  {
    name: 'listed-encodings',
    what: '200 connections that ask for a page without a key and say that they take 31,000 encodings',
    load: () =>
      pipelined({
        ...{ connections: 200, depth: 1, addresses: 20 },
        request: keyless('/docs/', `accept-encoding: ${','.repeat(31_000)}`),
      }),
  },
  {
    name: 'many-headers',
    what: '200 connections that send 5,000 headers with each request, without a key',
    load: () => pipelined({ connections: 200, depth: 1, addresses: 20, request: keyless('/nothing', ...MANY_HEADERS) }),
    longOnly: true,
  },
  {
    name: 'many-addresses',
    what: '3,000 connections of 600 addresses that ask without a key, one thing after the other',
    load: () => pipelined({ connections: 3_000, depth: 1, addresses: 600, request: keyless('/api/wallets') }),
  },
  {
    name: 'spread-guesses',
    what: '1,500 connections of 500 addresses with a key that does not exist, another one each time',
    load: () =>
      pipelined({
        ...{ connections: 1_500, depth: 1, addresses: 500 },
        request: () => keyless('/api/wallets', `x-api-key: sk_test_${randomUUID()}`),
      }),
  },
  {
    name: 'waiting-connections',
    what: '11,000 connections of 100 addresses that ask for one thing and then wait',
    load: () => rawConnections({ ...TEN_THOUSAND, count: 11_000, addresses: 100, send: keyless('/health/live') }),
    longOnly: true,
  },
  {
    name: 'unread-lists',
    what: '990 connections with one valid key that ask for lists of 100, and read nothing',
    load: (attacker) =>
      rawConnections({
        ...{ count: 990, perSecond: 500, reads: false },
        send: head(attacker, 'GET /api/transactions?limit=100').repeat(8),
      }),
    longOnly: true,
  },
  {
    name: 'gone-depositors',
    what: '500 deposits a second whose sender is gone 20 ms later',
    load: (attacker) => {
      const body = json({ wallet_id: attacker.walletId, amount: '1' });
      const length = `content-length: ${body.length}`;
      const send = head(attacker, 'POST /api/sandbox/deposits', 'content-type: application/json', length) + body;
      return rawConnections({ count: 500, perSecond: 500, resetAfterMs: 20, send });
    },
    longOnly: true,
  },
  {
    name: 'trailers',
    what: '64 connections with bodies that end with 30 KB of trailers',
    load: (attacker) =>
      pipelined({
        ...{ connections: 64, depth: 1 },
        request:
          head(attacker, 'POST /api/sandbox/deposits', 'content-type: application/json', 'transfer-encoding: chunked') +
          `2\r\n{}\r\n0\r\n${'x: y\r\n'.repeat(5_000)}\r\n`,
      }),
    longOnly: true,
  },
  {
    name: 'dry-runs',
    what: '64 callers that try payouts and swaps, of which nothing is kept',
    load: ({ customerId }) => {
      const pair = { customer_id: customerId, ...PAIR };
      const quoted = shared(64, ({ client, tally }: AttackCaller) =>
        tally.outcomeOf(client.post<{ data: Identified }>('/instant-swaps', pair)),
      );
      return callers(64, async (caller) => {
        const { client, tally, number } = caller;
        const isPayout = number % 2 === 0;
        if (isPayout)
          return tally.outcomeOf(client.post('/payouts/banks', { ...payoutOf(customerId, 'Ada Obi'), dry_run: true }));
        const quote_id = (await quoted(caller))?.body.data.data.id ?? '';
        return tally.outcomeOf(client.post('/swaps', { ...pair, quote_id, dry_run: true }));
      });
    },
  },
  {
    name: 'different-proofs',
    what: 'proofs, histories and liabilities, each of another transaction or wallet, 200 a second',
    load: (attacker) => async (run) => {
      const listed = await run.tally.outcomeOf(attackerClient(run, 1).get<Transaction[]>('/transactions?limit=100'));
      const ids = (listed?.body.data ?? []).map(({ transaction_id }) => transaction_id);
      const of = (number: number) => ids[number % ids.length] ?? attacker.transactionId;
      await requests({
        ...{ perSecond: 200, key: anyKeyOf(attacker) },
        path: (number) =>
          [
            `/audit/proofs/${of(number)}`,
            `/audit/transactions/${of(number)}`,
            `/audit/liabilities/${attacker.walletId}`,
            `/audit/checkpoints?limit=100&page=${1 + (number % 50)}`,
          ][number % 4] ?? '',
      })(run);
    },
  },
  {
    name: 'same-email',
    what: '64 callers that register customers with one email address',
    load: () =>
      callers(64, ({ client, tally }) =>
        tally.outcomeOf(client.post(CUSTOMERS, { ...individual(), email: 'one@example.com' })),
      ),
    longOnly: true,
  },
  {
    name: 'repeated-business',
    what: '64 callers that register one business of 100 KB under one Idempotency-Key',
    load: () => {
      const idempotencyKey = randomUUID();
      const body = largestBusiness();
      return callers(64, ({ client, tally }) => tally.outcomeOf(client.post(BUSINESSES, body, { idempotencyKey })));
    },
  },
  {
    name: 'large-events',
    what: '40 businesses of 100 KB, and lists of the events that tell of them, 33 a second',
    load: (attacker) => async (run) => {
      const client = attackerClient(run, 8);
      const register = () => run.tally.outcomeOf(client.post(BUSINESSES, largestBusiness()));
      await Promise.all(Array.from({ length: 40 }, register));
      await requests({ perSecond: 40, path: '/events?limit=100', key: anyKeyOf(attacker) })(run);
    },
  },
  {
    name: 'payout-methods',
    what: '64 callers that add methods of payout to one customer and list them all',
    load: ({ customerId: customer_id }) =>
      callers(64, async ({ client, tally }) => {
        await tally.outcomeOf(
          client.post('/payout/methods/banks', { customer_id, currency: 'NGN', account_number, bank_code }),
        );
        return tally.outcomeOf(client.get(`/payout/methods?customer_id=${customer_id}&limit=100`));
      }),
    longOnly: true,
  },
  {
    name: 'held-payouts',
    what: '100 payouts a second that the bank neither makes nor refuses',
    load: (attacker) =>
      requests({ perSecond: 100, path: '/payouts/banks', body: json(payoutOf(attacker.customerId, 'sandbox:hold')) }),
    longOnly: true,
  },
  {
    name: 'endpoint-turnover',
    what: '19 endpoints that never answer with 60 deposits a second, and others made and deleted meanwhile',
    load: (attacker) =>
      withWebhooks(19, 'hangs', () =>
        together(
          deposits(attacker, 60),
          callers(8, async ({ client, tally }) => {
            const made = await tally.outcomeOf(client.post<Identified>('/webhooks', { url: 'https://127.0.0.1:9/' }));
            return made && tally.outcomeOf(client.delete(`/webhooks/${made.body.data.id}`));
          }),
        ),
      ),
    longOnly: true,
  },
  {
    name: 'tls-webhooks',
    what: '100 deposits a second, of each of which 20 endpoints hear whose certificate no authority has signed',
    load: (attacker) => withWebhooks(20, 'speaksTls', () => deposits(attacker, 100)),
  },
  {
    name: 'everything',
    what: 'seven of these at once, each as weak as it stays within the limits of its key',
    load: (attacker) =>
      together(
        requests({ perSecond: 10, path: CUSTOMERS, body: unknownNames(9_900) }),
        requests({ perSecond: 50, path: `/audit/proofs/${attacker.transactionId}`, key: attacker.readOnlyKey }),
        requests({ perSecond: 100, path: '/wallets', key: null }),
        rawConnections({ count: 1_000, perSecond: 500 }),
        withWebhooks(10, 'hangs', () => deposits(attacker, 10)),
        callers(8, swap),
        requests({ perSecond: 10, path: '/customers?limit=100&search=a' }),
      ),
  },
];

interface Identified {
  id: string;
}

interface Transaction {
  transaction_id: string;
}

const payoutOf = (customer_id: string, recipient_name: string): object => ({
  ...{ customer_id, currency: 'USDT', amount: '1', ...BANK },
  recipient_name,
});

/** Each of the attacker's keys in turn: together they may ask for twice as much as one. */
const anyKeyOf =
  ({ furtherKeys }: Attacker) =>
  (number: number): string =>
    furtherKeys[number % furtherKeys.length] ?? '';

const documents = (attacker: Attacker, perSecond: number, body: string): Load =>
  requests({
    ...{ perSecond, path: '/documents', body, key: anyKeyOf(attacker) },
    headers: { 'content-type': `multipart/form-data; boundary=${FORM_BOUNDARY}` },
  });

const webhookTests = (perSecond: number): Load =>
  withWebhooks(1, 'hangs', ([id]) => requests({ perSecond, method: 'POST', path: `/webhooks/${id ?? ''}/test` }));

const deposits = ({ walletId }: Attacker, perSecond: number): Load =>
  requests({ perSecond, path: '/sandbox/deposits', body: json({ wallet_id: walletId, amount: '1' }) });

async function swap({ client, tally, run }: AttackCaller): Promise<unknown> {
  const pair = { customer_id: run.attacker.customerId, ...PAIR };
  const quote = await tally.outcomeOf(client.post<{ data: { id: string } }>('/instant-swaps', pair));
  return quote && tally.outcomeOf(client.post('/swaps', { ...pair, quote_id: quote.body.data.data.id }));
}
