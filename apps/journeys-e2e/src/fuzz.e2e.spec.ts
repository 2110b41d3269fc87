import { randomInt, randomUUID } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@stablecoin/testing/eventually';
import { testStack } from '@stablecoin/testing/stack';
import fc from 'fast-check';
import { auditJson } from './audit-command';
import { Client, dataOf } from './client';
import { Answered, operationFor, OPERATIONS, problemsOf } from './documented-answers';
import { newClient } from './merchants';
import { ADDRESSES, createBusiness, createIndividual, openWallet } from './people';
import { CANARY, Known, QUOTED_EXCHANGE, RandomRequest, randomRequests } from './random-requests';
import { InnerEnvelope, PayoutMethod, Transaction } from './resources';
import { HELD_DEPOSIT } from './writes';

/**
 * Random requests against the running service (random-requests.ts): none ends in a 5xx, none hangs, the interface
 * document describes every response, and no refusal contains a value that was sent. FUZZ_REQUESTS says how many,
 * FUZZ_SEED repeats those of an earlier run.
 */

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 10_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
const CONCURRENT = 8;
const BATCH = 500;
const SHOWN_FAILURES = 10;
/** The 5 s within which every request ends, and what the way there and back may take on a busy machine. */
const ANSWER_WITHIN_MS = 5_500;
/** From this many on, every operation must have succeeded at least once: otherwise too few requests reach it. */
const ENOUGH_FOR_EACH = 5_000;

const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT });
let merchant: Client;
let known: Known;

beforeAll(async () => {
  merchant = await newClient();
  known = await resourcesOf(merchant);
}, 120_000);

afterAll(() => agent.destroy());

it(`answers ${REQUESTS} random requests as the document says (FUZZ_SEED=${SEED})`, async () => {
  const failures: string[] = [];
  const succeeded = new Set<string>();
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < REQUESTS && failures.length < SHOWN_FAILURES; sent += BATCH) {
    const numRuns = Math.min(BATCH, REQUESTS - sent);
    const batch = fc.sample(randomRequests(known), { seed: SEED + sent, numRuns });
    await forEachAtOnce(batch, async (request) => {
      const answer = await answered(request);
      const problems = typeof answer === 'string' ? [answer] : wrongWith(request, answer);
      if (problems.length > 0) failures.push(`${shown(request)}\n  ${problems.join('\n  ')}`);
      if (typeof answer === 'string') return;
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status < 300) succeeded.add(nameOf(request));
    });
  }
  process.stdout.write(`${JSON.stringify(Object.fromEntries([...statuses].sort()))}\n`);
  expect(failures.join('\n\n')).toBe('');
  if (REQUESTS >= ENOUGH_FOR_EACH) expect([...succeeded].sort()).toEqual(SUCCEEDING.sort());
}, 600_000);

it('leaves a ledger that verifies', async () => {
  await delay(1_000); // Commands under way reach the log; verify reads it at one moment.
  const { code } = await auditJson(testStack(), 'verify');
  expect(code).toBe(0);
}, 120_000);

/** Of payouts that wait for it, which are only those of merchants with a policy: approvals.e2e.spec.ts. */
const NEED_A_POLICY = ['POST /payouts/{transaction_id}/approve', 'POST /payouts/{transaction_id}/reject'];
const titleOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

const SUCCEEDING = OPERATIONS.map(titleOf).filter((title) => !NEED_A_POLICY.includes(title));

function nameOf({ method, path }: RandomRequest): string {
  const operation = operationFor(method, path);
  return operation ? titleOf(operation) : 'none';
}

function wrongWith({ method, path }: RandomRequest, answer: Answered): string[] {
  const problems = problemsOf(method, path, answer);
  if (answer.status >= 500) problems.push(`ended in ${answer.status}`);
  if (answer.status >= 400 && answer.text.includes(CANARY)) problems.push('a value that was sent comes back');
  return problems.length > 0 ? [...problems, `${answer.status} ${answer.text.slice(0, 500)}`] : [];
}

function shown({ method, path, headers, body }: RandomRequest): string {
  return `${method} ${path.slice(0, 500)} ${JSON.stringify(headers).slice(0, 500)} ${JSON.stringify(body)?.slice(0, 1_000)}`;
}

async function forEachAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
}

/** The answer, or why there is none. Not through fetch, which would not send half of this. */
function answered({ method, path, headers, body }: RandomRequest): Promise<Answered | string> {
  return new Promise((done) => {
    // Set for every method: Node leaves the length of some bodies out, and the server would read them as the next
    // request.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const own = { 'x-api-key': merchant.apiKey ?? '', ...length };
    // The path is sent as it is: a URL of the whole would resolve the segments "." and "..".
    const { hostname, port, pathname } = new URL(merchant.baseUrl);
    const options = { method, agent, hostname, port, path: `${pathname}${path}`, headers: { ...own, ...headers } };
    const timer = setTimeout(
      () => sent.destroy(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`)),
      ANSWER_WITHIN_MS,
    );
    const sent = httpRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        clearTimeout(timer);
        const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        done({ status: response.statusCode ?? 0, headers: new Headers(received), text });
      });
    });
    sent.on('error', (error) => {
      clearTimeout(timer);
      done(`no answer: ${error.message}`);
    });
    sent.end(body);
  });
}

/** The resources that requests can name: persons and firms with money, wallets, quotes, payouts and methods. */
async function resourcesOf(client: Client): Promise<Known> {
  const persons = await Promise.all([createIndividual(client), createIndividual(client), createIndividual(client)]);
  const firms = await Promise.all([createBusiness(client), createBusiness(client)]);
  const closable = await Promise.all([createIndividual(client), createBusiness(client)]);
  const customers = [...persons, ...firms].map(({ id }) => id);
  const owners = [undefined, ...customers];
  const wallets = await Promise.all(
    owners.flatMap((customer_id) => [
      openWallet(client, { customer_id, currency: 'USD' }, '1000000'),
      openWallet(client, { customer_id, currency: 'USDT', network: 'erc20' }, '1000000'),
      openWallet(client, { customer_id, currency: 'NGN' }, '1000000'),
    ]),
  );
  const [from_currency] = QUOTED_EXCHANGE.from_currency;
  const [to_currency] = QUOTED_EXCHANGE.to_currency;
  const pair = { from_currency, to_currency, amount: QUOTED_EXCHANGE.amount[0] };
  const quotes = await Promise.all(
    Array.from({ length: 30 }, () => dataOf(client.post<InnerEnvelope>('/instant-swaps', pair))),
  );
  const bank = { currency: 'USD', amount: '1', account_number: '01230009', bank_code: '1', recipient_name: 'A' };
  const payouts = await Promise.all(
    Array.from({ length: 30 }, () => dataOf(client.post<Transaction>('/payouts/banks', bank))),
  );
  const arriving = { currency: 'USD', amount: '1', reference: HELD_DEPOSIT } as const;
  const deposits = await Promise.all(Array.from({ length: 30 }, () => client.sdk.sandbox.deposit(arriving)));
  await Promise.all(deposits.slice(0, 10).map(({ id }) => client.sdk.sandbox.completeDeposit(id)));
  const method = { wallet_address: ADDRESSES.erc20, network: 'erc20', currency: 'USDT' };
  const methods = await Promise.all(
    Array.from({ length: 30 }, () => dataOf(client.post<PayoutMethod>('/payout/methods/wallets', method))),
  );
  const url = 'http://127.0.0.1:9/'; // Nothing listens there: deliveries fail at once.
  const webhooks = await Promise.all(
    Array.from({ length: 8 }, () => dataOf(client.post<{ id: string }>('/webhooks', { url }))),
  );
  const events = await eventually('there are events', async () => {
    const found = await dataOf(client.get<{ id: string }[]>('/events?limit=100'));
    return found.length > 0 && found;
  });
  const checkpoints = await eventually('the log was signed twice', async () => {
    await dataOf(client.post('/sandbox/deposits', { wallet_id: wallets[0]?.id, amount: '1' }));
    const found = await dataOf(client.get<{ size: number }[]>('/audit/checkpoints'));
    return found.length > 1 && found;
  });
  const sizes = checkpoints.map(({ size }) => String(size));
  return {
    from: sizes.slice(-1),
    to: sizes.slice(0, 1),
    as_of: ['1', new Date().toISOString()],
    url: [url],
    webhook_id: webhooks.slice(0, 4).map(({ id }) => id),
    deletable: webhooks.slice(4).map(({ id }) => id),
    event_id: events.map(({ id }) => id),
    customer_id: customers,
    customerId: customers,
    closable: closable.map(({ id }) => id),
    wallet_id: wallets.map(({ id }) => id),
    swapId: quotes.map(({ data }) => data.id),
    quote_id: quotes.map(({ data }) => data.id),
    transaction_id: payouts.map(({ transaction_id }) => transaction_id),
    reference_id: payouts.map(({ reference_id }) => reference_id),
    payout_method_id: methods.map(({ id }) => id),
    id: payouts.flatMap(({ id, transaction_id }) => [id, transaction_id, randomUUID()]),
    deposit: deposits.flatMap(({ id, transaction_id }) => [id, transaction_id]),
    from_currency: ['USDT', 'usdt', 'USDT', 'USDC'],
    to_currency: ['NGN', 'NGN', 'usd', 'USDT'],
    currency: ['USD', 'USDT', 'NGN', 'GBP'],
    network: ['erc20', 'erc20', 'erc20', 'solana'],
    amount: ['10.50', '10.50', '0.01', '0.00000001', '900000', '999999999999999999'],
  };
}
