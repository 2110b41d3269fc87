import { Logger } from '@nestjs/common';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { Operation, operation, replies } from '@stablecoin/contracts/wire/operation';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { Events, NatsConnection } from 'nats';
import { BusClient } from './bus-client';
import { connectToBus } from './bus-connection';
import { BusServer } from './bus-server';
import { freshRequestContext, withRequestContext } from './request-context';
import { SealedCodec } from './sealed-codec';

class Work {
  @IsText({ max: 10 }) text: string;
}
type WorkOperation = Operation<Work, { text: string }>;

const define = (name: string, readOnly = false): WorkOperation =>
  operation({ subject: `spec.${name}`, readOnly, request: Work, reply: replies<{ text: string }>(), errors: [] });
const change = define('change');
const question = define('question', true);

/** As in deploy/nats/permissions.conf: who answers may do so to the inbox that a request names, once. */
const users = ({ caller = 'a', service = 'b' } = {}) => `
authorization { users: [
  { user: caller, password: ${caller}, permissions: {
    publish: { allow: ["spec.>"] }, subscribe: { allow: ["_INBOX_caller.>"] } } },
  { user: service, password: ${service}, permissions: {
    publish: { allow: ["_INBOX_caller.answers-lost"] }, subscribe: { allow: ["spec.>", "_INBOX_service.>"] },
    allow_responses: { max: 1, expires: "1m" } } }
] }
`;

const codec = new SealedCodec(Buffer.alloc(32, 1));
const connections: NatsConnection[] = [];
let broker: OwnNats;
let client: BusClient;
/** What was asked of the handlers, and their answers, which the test gives. */
let handled: string[];
let answers: (() => void)[];
/** Whose connections have been lost. */
let cutOff: string[];

async function connect(user: string, password: string): Promise<NatsConnection> {
  const connection = await connectToBus(broker.url.replace('://', `://${user}:${password}@`), user);
  connections.push(connection);
  void (async () => {
    for await (const { type } of connection.status()) if (type === Events.Disconnect) cutOff.push(user);
  })();
  return connection;
}

beforeAll(() => Logger.overrideLogger(false));
beforeEach(async () => {
  broker = await startOwnNats([], users());
  [handled, answers, cutOff] = [[], [], []];
  client = new BusClient(await connect('caller', 'a'), codec);
  const server = new BusServer(await connect('service', 'b'), codec, 'service');
  const work = ({ text }: Work) =>
    new Promise<{ text: string }>((answer) => {
      handled.push(text);
      answers.push(() => answer({ text }));
    });
  server.serve(change, work);
  server.serve(question, work);
  await new Promise((listening) => server.listen(listening));
});
afterEach(async () => {
  answers.forEach((answer) => answer());
  await Promise.all(connections.splice(0).map((connection) => connection.close()));
  await broker.stop();
});

/** Calls that have reached their handlers. */
async function underWay(asked: WorkOperation, count = 1): Promise<{ calls: Promise<{ text: string }[]> }> {
  const texts = Array.from({ length: count }, (_, index) => `call ${index}`);
  const calls = withRequestContext(freshRequestContext(), () =>
    Promise.all(texts.map((text) => client.call(asked, { text }))),
  );
  calls.catch(() => undefined);
  await eventually('they are under way', () => handled.length === count);
  return { calls };
}

const answerAll = () => answers.splice(0).forEach((answer) => answer());
const inOrder = (texts: readonly string[]) => [...texts].sort();

describe('calls that are under way', () => {
  it('are answered when the broker is reloaded meanwhile, and handled once', async () => {
    const { calls } = await underWay(change, 100);
    await broker.reload(users());
    answerAll();
    const replies = await calls;
    expect(inOrder(replies.map(({ text }) => text))).toEqual(inOrder(handled));
    expect(handled).toHaveLength(100);
  });

  it('are answered when the broker cuts the service off meanwhile, which answers while it is away', async () => {
    const { calls } = await underWay(change, 10);
    await broker.reload(users({ service: 'other' }));
    await eventually('it is cut off', () => cutOff.length > 0);
    answerAll();
    await broker.reload(users());
    await expect(calls).resolves.toHaveLength(10);
    expect(handled).toHaveLength(10);
  });

  it('are answered when the broker cuts the caller off meanwhile', async () => {
    const { calls } = await underWay(change, 10);
    await broker.reload(users({ caller: 'other' }));
    await eventually('it is cut off', () => cutOff.length > 0);
    answerAll();
    await broker.reload(users());
    await expect(calls).resolves.toHaveLength(10);
    expect(handled).toHaveLength(10);
  });

  it('are answered when the broker is killed and started again', async () => {
    const { calls } = await underWay(change, 10);
    await broker.kill();
    await broker.revive();
    answerAll();
    await expect(calls).resolves.toHaveLength(10);
    expect(handled).toHaveLength(10);
  });

  it('are answered when they only read: they are asked once more', async () => {
    const { calls } = await underWay(question);
    await broker.reload(users());
    answerAll();
    const answered = calls.then(() => true);
    await eventually('they are asked again', () => answers.length > 0);
    answerAll();
    await expect(answered).resolves.toBe(true);
  });

  it('end as unknown when the connection does not come back', async () => {
    const { calls } = await underWay(change);
    const startedAt = performance.now();
    await broker.kill();
    await expect(calls).rejects.toMatchObject({ code: 'unavailable', notExecuted: false });
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });
});
