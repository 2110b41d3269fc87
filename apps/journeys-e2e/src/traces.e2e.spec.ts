import { execFileSync } from 'node:child_process';
import { eventually } from '@stablecoin/testing/eventually';
import { Client, dataOf } from './client';
import { ROOT, sandboxMerchant } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { createIndividual, deposit, openWallet } from './people';
import { Customer, Swap, Transaction, Wallet } from './resources';
import { Span, SpanReceiver } from './span-receiver';

const CANARIES = {
  first_name: 'Canaryfirst',
  last_name: 'Canarylast',
  email: 'canary.mail@example.com',
  phone: '+2348099912345',
  account: '0123456789',
  recipient: 'Canaryrecipient',
};

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
      /answer wallet.record-deposit > publish deposit-completed > handle customer-events$/,
    );
  });

  it('hold a swap together over three services', async () => {
    const pair = { customer_id: customer.id, from_currency: 'USDT', to_currency: 'NGN', amount: '100' };
    await dataOf(merchant.post('/instant-swaps', pair));
    await dataOf(merchant.post<Swap>('/swaps', pair));
    const trace = await traceOf('POST /api/swaps', ['handle swap-pricing']);
    expect(new Set(trace.map(({ service }) => service))).toEqual(
      new Set(['gateway', 'customer', 'swap-pricing', 'wallet-ledger']),
    );
  });

  it('lead from a payout to its steps, each a trace of its own that is linked with the one it was told in', async () => {
    const payout = await payOut();
    const trace = await traceOf('POST /api/payouts/banks', ['handle payout']);
    await eventually('the payout is settled', async () => {
      const path = `/customers/transactions/by_txid/${payout.transaction_id}`;
      return (await dataOf(merchant.get<Transaction>(path))).status === 'COMPLETED';
    });
    const step = await eventually('the step that told the ledger', () =>
      tracesThrough('wallet-ledger', 'answer wallet.resolve-payout').find(
        (found) => found.some(({ name }) => name === 'handle customer-events') && isWhole(found),
      ),
    );
    const root = step.find(({ parentSpanId }) => parentSpanId === undefined);
    expect(root?.name).toBe('payout step submitted');
    expect(root?.links.map(({ traceId }) => traceId)).toEqual([trace[0]?.traceId]);
  });

  it('tell nothing of anybody: no key, name, address, account or amount', () => {
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

  it('are not so much as loaded where nobody asks for them', () => {
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

  function payOut(): Promise<Transaction> {
    return dataOf(
      merchant.post<Transaction>('/payouts/banks', {
        customer_id: customer.id,
        currency: 'USDT',
        recipient_currency: 'NGN',
        amount: '50',
        recipient_country: 'Nigeria',
        bank_name: 'First Bank',
        bank_code: '011',
        account_number: CANARIES.account,
        recipient_name: CANARIES.recipient,
      }),
    );
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
