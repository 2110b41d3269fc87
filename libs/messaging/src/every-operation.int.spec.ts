import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Logger } from '@nestjs/common';
import { Operation } from '@stablecoin/contracts/wire/operation';
import { testNatsUrl, uniqueName } from '@stablecoin/testing/nats';
import { getMetadataStorage } from 'class-validator';
import { NatsConnection } from 'nats';
import { subjectOf } from './bus-client';
import { connectToBus } from './bus-connection';
import { BusServer } from './bus-server';
import { ReplyEnvelope } from './envelope';
import { SealedCodec } from './sealed-codec';

type AnyOperation = Operation<object, unknown>;

const CONTRACTS = resolve(__dirname, '../../contracts');
const SHARD = 7;
const codec = new SealedCodec(Buffer.alloc(32, 7));
const prefix = uniqueName('every-operation');

/** They are about keys, prices, currencies, chains, signatures, and what consumers of facts have missed. */
const OF_NO_MERCHANT = [
  'chain.cancel-transfer',
  'chain.get-public-keys',
  'chain.get-transfer',
  'chain.get-treasury',
  'chain.list-parked-facts',
  'chain.list-transfers',
  'chain.list-unrecognised',
  'chain.look-up-transfer',
  'chain.rescan',
  'chain.rescan-recent',
  'chain.resolve-unrecognised',
  'chain.resume-lane',
  'chain.status',
  'chain.submit-transfer',
  'customer.get-case',
  'customer.list-cases',
  'customer.list-merchants',
  'customer.list-parked-facts',
  'customer.resolve-api-key',
  'payout.list-parked-facts',
  'signer.describe',
  'signer.sign-transfer',
  'swap.get-price',
  'swap.list-parked-facts',
  'wallet.explain-balance',
  'wallet.find-deposit-address',
  'wallet.list-asset-codes',
  'wallet.list-published-positions',
  'wallet.list-shard-checkpoints',
  'wallet.list-shards',
  'wallet.list-signed-shards',
  'wallet.make-checkpoint',
  'wallet.prove-shard-consistency',
  'wallet.read-facts',
];

const reached: string[] = [];
let connection: NatsConnection;
let server: BusServer;
let operations: AnyOperation[];

beforeAll(async () => {
  // Each of the hundreds of refusals below is logged.
  Logger.overrideLogger(false);
  operations = (await Promise.all(contractFiles().map(operationsIn))).flat();
  connection = await connectToBus(testNatsUrl(), 'every-operation-spec');
  server = new BusServer(connection, codec, prefix);
  for (const operation of operations) {
    const handler = async () => reached.push(operation.subject);
    server.serve(operation, handler);
  }
  await new Promise<void>((done, fail) => server.listen((error) => (error ? fail(error) : done())));
  await server.takeShard(SHARD);
});
afterAll(async () => {
  await server.close();
  await connection.close();
});

function contractFiles(): string[] {
  const owners = readdirSync(CONTRACTS).filter((owner) => owner !== 'wire');
  return owners.flatMap((owner) => {
    const folder = join(CONTRACTS, owner, 'src');
    return readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
      .map((name) => join(folder, name));
  });
}

/** Under a subject of the test's own: other specs share the broker. */
async function operationsIn(file: string): Promise<AnyOperation[]> {
  const exported = Object.values((await import(file)) as Record<string, unknown>);
  return exported.filter(isOperation).map((operation) => ({ ...operation, subject: `${prefix}.${operation.subject}` }));
}

function isOperation(value: unknown): value is AnyOperation {
  return typeof value === 'object' && value !== null && 'subject' in value && 'request' in value;
}

async function send(operation: AnyOperation, body: unknown): Promise<ReplyEnvelope> {
  const subject = subjectOf(operation, operation.answeredBy === 'shard' ? SHARD : undefined);
  const message = codec.encode(subject, { request_id: 'every-operation', deadline: Date.now() + 10_000, body });
  return codec.decode(subject, (await connection.request(subject, message, { timeout: 10_000 })).data) as ReplyEnvelope;
}

/** The fields that were refused, each as `field: code`; fails the test when the message was let through. */
async function refusedFields(operation: AnyOperation, body: unknown): Promise<string[]> {
  const reply = await send(operation, body);
  expect({ subject: operation.subject, body, reply }).toMatchObject({
    reply: { ok: false, code: 'validation_failed' },
  });
  return reply.ok ? [] : (reply.fields ?? []).map(({ field, code }) => `${field}: ${code}`);
}

function rulesOf(type: AnyOperation['request']) {
  const storage = getMetadataStorage();
  return storage.groupByPropertyName(storage.getTargetValidationMetadatas(type, '', false, false));
}

describe('an operation whose name says that it changes nothing', () => {
  it('is marked as read-only, and no other is: a caller may ask two instances for it', () => {
    const asking = /\.(get|list|find|look-up|prove|explain|read)-|\.(resolve-api-key|open-sealed|describe|status)$/;
    const marked = operations.filter(({ readOnly }) => readOnly).map(({ subject }) => subject);
    expect(marked).toEqual(operations.map(({ subject }) => subject).filter((subject) => asking.test(subject)));
  });
});

describe('what is not valid reaches no handler of any operation', () => {
  afterEach(() => expect(reached).toEqual([]));

  it('knows every operation of every contract', () => {
    expect(operations.length).toBeGreaterThan(30);
    expect(new Set(operations.map(({ subject }) => subject)).size).toBe(operations.length);
  });

  it('no object at all', async () => {
    for (const operation of operations) {
      for (const body of [null, [], [{}], 'text', 7, true]) {
        expect(await refusedFields(operation, body)).toEqual([': invalid_object']);
      }
    }
  });

  it('an object without what is required', async () => {
    const demanding = operations.filter(({ request }) => 'merchant_id' in rulesOf(request));
    const others = operations.filter((operation) => !demanding.includes(operation));
    expect(others.map(({ subject }) => subject.slice(prefix.length + 1)).sort()).toEqual(OF_NO_MERCHANT);
    for (const operation of demanding) {
      expect(await refusedFields(operation, {})).toContain('merchant_id: required');
    }
  });

  it('a field that the operation does not have', async () => {
    const fields = JSON.parse('{"surprise":1,"__proto__":{"merchant_id":"x"},"constructor":1,"toString":1}') as object;
    for (const operation of operations) {
      expect(await refusedFields(operation, { surprise: 1 })).toContain('surprise: unknown_field');
      expect(await refusedFields(operation, fields)).toEqual(
        expect.arrayContaining(['__proto__', 'constructor', 'toString'].map((name) => `${name}: unknown_field`)),
      );
    }
  });

  it('a field of another type than its own, whichever field it is', async () => {
    let tried = 0;
    for (const operation of operations) {
      for (const name of Object.keys(rulesOf(operation.request))) {
        // An address is judged by the network beside it.
        const beside = ['address', 'to', 'wallet_address'].includes(name) ? { network: 'erc20' } : {};
        for (const wrong of [{ x: 1 }, [[1]], '\u0000']) {
          const refused = await refusedFields(operation, { ...beside, [name]: wrong });
          expect({ name, wrong, refused: refused.filter((entry) => entry.startsWith(name)) }).not.toEqual({
            name,
            wrong,
            refused: [],
          });
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(500);
  });

  it('what was not sealed for this bus, or is no request', async () => {
    for (const operation of operations) {
      const subject = subjectOf(operation, operation.answeredBy === 'shard' ? SHARD : undefined);
      const forged = new SealedCodec(Buffer.alloc(32, 8)).encode(subject, {
        request_id: 'x',
        deadline: 1e15,
        body: {},
      });
      for (const message of [forged, Buffer.from('{}'), Buffer.alloc(0), codec.encode(subject, { body: {} })]) {
        const reply = await connection.request(subject, message, { timeout: 10_000 });
        expect(codec.decode(subject, reply.data)).toMatchObject({ ok: false, code: 'validation_failed' });
      }
    }
  });
});
