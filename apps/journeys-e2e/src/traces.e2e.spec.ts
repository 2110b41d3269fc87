import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import { Span, SpanReceiver } from '@stablecoin/testing/span-receiver';
import { Answer, Client } from './client';
import { ROOT, sandboxMerchant } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { createIndividual, deposit, openWallet } from './people';
import { Customer, Transaction, Wallet } from './resources';

const CANARIES = {
  first_name: 'Canaryfirst',
  last_name: 'Canarylast',
  email: 'canary.mail@example.com',
  phone: '+2348099912345',
  account: '0123456789',
  recipient: 'Canaryrecipient',
};

const TRON_ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

/** Five real processes, and a receiver of spans as a collector would be. */
describe('traces', () => {
  const receiver = new SpanReceiver();
  let own: OwnStack;
  let merchant: Client;
  let customer: Customer;
  let wallet: Wallet;

  beforeAll(async () => {
    const endpoint = await receiver.listen();
    own = await startOwnStack({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    merchant = sandboxMerchant(own.description);
    const { first_name, last_name, email, phone } = CANARIES;
    customer = await createIndividual(merchant, { first_name, last_name, email, phone });
    wallet = await openWallet(merchant, { customer_id: customer.id, currency: 'USDT', network: 'trc20' });
    await openWallet(merchant, { customer_id: customer.id, currency: 'NGN' });
  }, 180_000);
  afterAll(async () => {
    await own?.stop();
    await receiver.close();
  }, 90_000);

  it('go from the request over the bus into the database, and on to the consumers', async () => {
    await deposit(merchant, wallet.id, '1000');
    const trace = await traceOf('POST /api/sandbox/deposits', ['handle customer-events']);
    expect(namesOf(trace)).toEqual(
      expect.arrayContaining([
        'gateway: POST /api/sandbox/deposits',
        'wallet-ledger: answer wallet.record-deposit',
        'wallet-ledger: ledger batch',
        'wallet-ledger: INSERT ledger_events',
        'wallet-ledger: COMMIT',
        'wallet-ledger: publish deposit-recorded',
        'wallet-ledger: publish deposit-completed',
        'customer: handle customer-events',
        'customer: WITH events',
      ]),
    );
    // Each is caused by what it should be.
    expect(pathOf(trace, 'COMMIT', 'wallet-ledger')).toMatch(
      /^POST \/api\/sandbox\/deposits > .*call wallet.record-deposit > answer wallet.record-deposit > ledger batch > COMMIT$/,
    );
    expect(pathOf(trace, 'handle customer-events', 'customer')).toMatch(
      /answer wallet.record-deposit > publish deposit-(recorded|completed) > handle customer-events$/,
    );
  });

  it('hold a swap together over three services', async () => {
    const pair = { customer_id: customer.id, from_currency: 'USDT', to_currency: 'NGN', amount: '100' } as const;
    await merchant.sdk.quotes.create(pair);
    await merchant.sdk.swaps.execute(pair);
    const trace = await traceOf('POST /api/swaps', ['handle swap-pricing']);
    expect(new Set(trace.map(({ service }) => service))).toEqual(
      new Set(['gateway', 'customer', 'swap-pricing', 'wallet-ledger']),
    );
  });

  it('lead from a payout to its steps, each a trace of its own, linked with the trace of the payout’s fact', async () => {
    const payout = await payOut();
    const trace = await traceOf('POST /api/payouts/banks', ['handle payout']);
    await eventually('the payout is settled', async () => {
      return (await merchant.sdk.transactions.get(payout.transaction_id)).status === 'COMPLETED';
    });
    const step = await eventually('the step that reported to the ledger', () =>
      tracesThrough('wallet-ledger', 'answer wallet.resolve-payout').find(
        (found) => found.some(({ name }) => name === 'handle customer-events') && isWhole(found),
      ),
    );
    const root = step.find(({ parentSpanId }) => parentSpanId === undefined);
    expect(root?.name).toBe('payout step submitted');
    expect(root?.links.map(({ traceId }) => traceId)).toEqual([trace[0]?.traceId]);
  });

  describe('are named by every line of the log that a request leaves', () => {
    const unknownId = randomUUID();
    const pair = { from_currency: 'USDT', to_currency: 'NGN', amount: '77' };
    const much = { currency: 'USDT', amount: '100000', address: TRON_ADDRESS, network: 'trc20' };
    it.each<[string, string[], (headers: Record<string, string>) => Promise<Answer<unknown>>]>([
      ['a body that is no JSON', [], (headers) => merchant.post('/wallets', undefined, { raw: '{', headers })],
      ['a customer', ['customer'], (headers) => merchant.get(`/customers/${unknownId}`, { headers })],
      [
        'a quote',
        ['swap-pricing'],
        (headers) => merchant.post('/swaps', { ...pair, customer_id: customer.id }, { headers }),
      ],
      ['a method', ['payout'], (headers) => merchant.delete(`/payout/methods/${unknownId}`, undefined, { headers })],
      [
        'a payout',
        ['wallet-ledger'],
        (headers) => merchant.post('/payouts/wallets', { ...much, customer_id: customer.id }, { headers }),
      ],
    ])('that was refused for %s', async (_, behind, send) => {
      const id = randomUUID();
      expect((await send({ 'x-request-id': id })).status).toBeGreaterThanOrEqual(400);
      const services = ['gateway', ...behind];
      const lines = await eventually('each service has said so', () => {
        const found = services.map((service) => linesOf(service, id));
        return found.every(({ length }) => length > 0) && found.flat();
      });
      const spans = await eventually('the spans of the request', () => {
        const root = receiver.spans.find(({ attributes }) => attributes['request.id'] === id);
        const trace = receiver.spans.filter(({ traceId }) => traceId === root?.traceId);
        return services.every((service) => trace.some((span) => span.service === service)) && trace;
      });
      const known = spans.map(({ service, traceId, spanId }) => `${service} ${traceId} ${spanId}`);
      const named = lines.map(({ service, trace_id, span_id }) => `${service} ${trace_id} ${span_id}`);
      expect(named.filter((name) => !known.includes(name))).toEqual([]);
    });
  });

  it('contain nothing personal: no key, name, address, account or amount', () => {
    expect(receiver.spans.length).toBeGreaterThan(50);
    const secrets = [...Object.values(CANARIES), own.description.api_key, customer.id, wallet.id, '1000.00000000'];
    expect(secrets.filter((secret) => receiver.raw.includes(secret))).toEqual([]);
    const said = new Set(receiver.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    const known = [
      ...['http.request.method', 'http.route', 'http.response.status_code', 'request.id', 'error.type'],
      ...['ledger.shard', 'ledger.batch.commands', 'messaging.system', 'messaging.destination.name'],
      ...['messaging.consumer.group.name', 'messaging.batch.message_count'],
      ...['db.system.name', 'db.operation.name', 'db.collection.name'],
    ];
    expect([...said].filter((name) => !known.includes(name))).toEqual([]);
  });

  it('load no library of theirs where tracing is not configured', () => {
    const apps = ['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout'];
    const modules = apps.map((app) => `./dist/apps/${app}/src/${app}.module.js`);
    const script = `
      for (const path of [...${JSON.stringify(modules)}, './dist/libs/service-host/src/boot.js']) require(path);
      const loaded = Object.keys(require.cache).filter((path) => /@opentelemetry.(sdk|exporter|otlp|resources|context)/.test(path));
      process.stdout.write(String(loaded.length));
      process.exit(0);`;
    const loaded = execFileSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8', timeout: 60_000 });
    expect(loaded).toBe('0');
  });

  function linesOf(service: string, requestId: string): Record<string, unknown>[] {
    const lines = readFileSync(join(own.description.data_dir, 'logs', `${service}.log`), 'utf8').split('\n');
    return lines.filter((line) => line.includes(requestId)).map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  function payOut(): Promise<Transaction> {
    return merchant.sdk.payouts.createToBank({
      customer_id: customer.id,
      currency: 'USDT',
      recipient_currency: 'NGN',
      amount: '50',
      recipient_country: 'Nigeria',
      bank_name: 'First Bank',
      bank_code: '011',
      account_number: CANARIES.account,
      recipient_name: CANARIES.recipient,
    });
  }

  function tracesThrough(service: string, name: string): Span[][] {
    const ids = new Set(
      receiver.spans.filter((span) => span.service === service && span.name === name).map(({ traceId }) => traceId),
    );
    return [...ids].map((id) => receiver.spans.filter(({ traceId }) => traceId === id));
  }

  /** The trace that began with the last such request, once it reached all of `until`. */
  function traceOf(request: string, until: string[]): Promise<Span[]> {
    return eventually(`the whole trace of ${request}`, () => {
      const trace = tracesThrough('gateway', request).at(-1) ?? [];
      const names = new Set(trace.map(({ name }) => name));
      return until.every((name) => names.has(name)) && isWhole(trace) ? trace : undefined;
    });
  }
});

/** One beginning, and every other span has its parent in the trace. */
function isWhole(trace: Span[]): boolean {
  const ids = new Set(trace.map(({ spanId }) => spanId));
  const roots = trace.filter(({ parentSpanId }) => parentSpanId === undefined);
  return roots.length === 1 && trace.every(({ parentSpanId }) => parentSpanId === undefined || ids.has(parentSpanId));
}

const namesOf = (trace: Span[]): string[] => trace.map(({ service, name }) => `${service}: ${name}`);

/** The names from the trace's beginning to a span. */
function pathOf(trace: Span[], name: string, service: string): string {
  const path: string[] = [];
  let span = trace.find((candidate) => candidate.name === name && candidate.service === service);
  for (; span; span = trace.find(({ spanId }) => spanId === span?.parentSpanId)) path.unshift(span.name);
  return path.join(' > ');
}
