/**
 * What one caller can do to another. An attack is data: adding one is adding a line to the table. Each is tried with the
 * limits of production, so that much of it is refused; what is left must not be noticed by another merchant.
 */
import { randomUUID } from 'node:crypto';
import { BANK } from '@stablecoin/testing/journey';
import { individual } from '@stablecoin/testing/person';
import {
  giantArrays,
  giantNumbers,
  honestRegistration,
  largestBusiness,
  nearlyBounded,
  smallestForm,
  unknownNames,
} from './load/bodies';
import { withWebhooks } from './load/webhooks';
import { attackerClient } from './load/load';
import { pipelined } from './load/pipelined';
import { rawConnections } from './load/raw-connections';
import { AttackCaller, callers, once, requests, shared, together } from './load/requests';

import {
  Attack,
  BUSINESSES,
  CUSTOMERS,
  DOCUMENT_BEGINS,
  DOCUMENT_HEADERS,
  Identified,
  PAIR,
  TEN_THOUSAND,
  WALLETS,
  anyKeyOf,
  deposits,
  documents,
  head,
  json,
  keyless,
  payoutOf,
  postHead,
  swap,
  webhookTests,
} from './attack';
import { FURTHER_ATTACKS } from './further-attacks';

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
  ...FURTHER_ATTACKS,
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
