// Attacks of a second pass, thought of with the source at hand.

import { randomUUID } from 'node:crypto';
import { individual } from '@stablecoin/testing/person';
import { largestBusiness } from './load/bodies';
import { withWebhooks } from './load/webhooks';
import { attackerClient } from './load/load';
import { pipelined } from './load/pipelined';
import { rawConnections } from './load/raw-connections';
import { AttackCaller, callers, requests, shared, together } from './load/requests';

import {
  Attack,
  BUSINESSES,
  CUSTOMERS,
  Identified,
  MANY_HEADERS,
  PAIR,
  TEN_THOUSAND,
  Transaction,
  account_number,
  anyKeyOf,
  bank_code,
  deposits,
  head,
  json,
  keyless,
  payoutOf,
} from './attack';

export const FURTHER_ATTACKS: readonly Attack[] = [
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
    name: 'large-heads',
    what: '9,900 connections of 100 addresses that send 5,000 headers each at the same moment, without a key',
    load: () =>
      rawConnections({ count: 9_900, perSecond: 10_000, addresses: 100, send: keyless('/nothing', ...MANY_HEADERS) }),
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
];
