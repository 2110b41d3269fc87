import { setTimeout as delay } from 'node:timers/promises';
import { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { eventually } from '@stablecoin/testing/eventually';
import { testNatsUrl, uniqueName } from '@stablecoin/testing/nats';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { NatsConnection } from 'nats';
import { BusClient } from './bus-client';
import { connectToBus } from './bus-connection';
import { BusServer } from './bus-server';
import { Handles } from './handles';
import { OperationHandlersModule } from './operation-handlers.module';
import { currentRequest, freshRequestContext, withRequestContext } from './request-context';
import { SealedCodec } from './sealed-codec';

const subject = uniqueName('test');

/** @nestjs/cqrs dispatches by the class of a request, so that each operation has one of its own. */
function define(name: string, answeredBy: 'any' | 'shard' = 'any', readOnly = false) {
  class Echo {
    @IsText({ max: 10 }) text: string;
  }
  return operation({
    subject: `${subject}.${name}`,
    answeredBy,
    readOnly,
    request: Echo,
    reply: replies<{ text: string; shard?: number }>(),
    errors: ['insufficient_funds'],
  });
}
const echo = define('echo');
const refuse = define('refuse');
const fail = define('fail');
const hang = define('hang');
const ofShard = define('of-shard', 'shard');
const whose = define('whose', 'any', true);
const slowOfShard = define('slow-of-shard', 'shard');

/** Ends the handlers that the test has left hanging. */
const releases: (() => void)[] = [];
const hanging = () =>
  new Promise<{ text: string }>((answer) => {
    releases.push(() => {
      answer({ text: '' });
    });
  });

@Handles(echo)
class EchoHandler {
  execute({ text }: { text: string }) {
    return Promise.resolve({ text });
  }
}

@Handles(refuse)
class RefuseHandler {
  execute(): Promise<{ text: string }> {
    return Promise.reject(new Refusal('insufficient_funds'));
  }
}

@Handles(fail)
class FailHandler {
  execute(): Promise<{ text: string }> {
    throw new Error('internal-canary');
  }
}

@Handles(hang)
class HangHandler {
  execute(): Promise<{ text: string }> {
    return hanging();
  }
}

@Handles(slowOfShard)
class SlowOfShardHandler {
  execute(): Promise<{ text: string }> {
    return hanging();
  }
}

@Handles(ofShard)
class OfShardHandler {
  execute({ text }: { text: string }): Promise<{ text: string; shard?: number }> {
    return Promise.resolve({ text, shard: currentRequest()?.shard });
  }
}

@Handles(whose)
class WhoseHandler {
  execute({ text }: { text: string }): Promise<{ text: string; shard?: number }> {
    return Promise.resolve({ text, shard: currentRequest()?.shard });
  }
}

const HANDLERS = [
  WhoseHandler,
  EchoHandler,
  RefuseHandler,
  FailHandler,
  HangHandler,
  SlowOfShardHandler,
  OfShardHandler,
];

const codec = new SealedCodec(Buffer.alloc(32, 1));
let connection: NatsConnection;
let client: BusClient;
let server: BusServer;
let app: INestMicroservice;

beforeAll(async () => {
  connection = await connectToBus(testNatsUrl(), 'test');
  client = new BusClient(connection, codec);
  server = new BusServer(connection, codec, subject);
  class Root {}
  app = await NestFactory.createMicroservice(
    {
      module: Root,
      global: true,
      imports: [OperationHandlersModule],
      providers: [{ provide: BusServer, useValue: server }, ...HANDLERS],
      exports: [BusServer],
    },
    { strategy: server, logger: false },
  );
  await app.listen();
});

afterAll(async () => {
  releases.forEach((release) => release());
  await app.close();
  await connection.close();
});

/** The series of a metric that are of this spec's operations, by operation. */
async function seriesOf(metric: string): Promise<string[]> {
  const lines = (await metricsText()).split('\n').filter((line) => line.startsWith(`${metric}{`));
  return lines.filter((line) => line.includes(subject)).map((line) => line.replaceAll(`${subject}.`, ''));
}

const within = <Result>(milliseconds: number, work: () => Promise<Result>) =>
  withRequestContext({ requestId: 'request', deadline: Date.now() + milliseconds }, work);

describe('an operation on the bus', () => {
  it('of any instance tells it which shard the request is about, where the caller says so', async () => {
    expect(await client.call(whose, { text: 'x' }, { shard: 5 })).toEqual({ text: 'x', shard: 5 });
    expect(await client.call(whose, { text: 'x' })).toEqual({ text: 'x' });
  });

  it('answers with its reply', async () => {
    await expect(client.call(echo, { text: 'hello' })).resolves.toEqual({ text: 'hello' });
  });

  it('gets only requests that are valid', async () => {
    const fields = [{ field: 'text', code: 'invalid_text', message: expect.any(String) as string }];
    await expect(client.call(echo, { text: 'far too long for it' })).rejects.toMatchObject({
      code: 'validation_failed',
      fields,
    });
  });

  it.each([
    ['refusals as they are', refuse, 'insufficient_funds'],
    ['anything else without a word of it', fail, 'internal_error'],
  ])('passes on %s', async (_what, failing, code) => {
    const error = await client.call(failing, { text: 'x' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toContain('canary');
  });

  it('is refused at once, and not retried, when the request is too large for any message', async () => {
    const startedAt = Date.now();
    await expect(client.call(echo, { text: 'x'.repeat(1024 * 1024) })).rejects.toMatchObject({
      code: 'payload_too_large',
    });
    expect(Date.now() - startedAt).toBeLessThan(1_000);
  });

  it.each([
    ['a handler that never answers', hang, 300],
    ['no instance that answers it', define('unanswered'), 300],
  ])('ends with unavailable by the request’s deadline: %s', async (_what, away, deadline) => {
    const startedAt = Date.now();
    await expect(within(deadline, () => client.call(away, { text: 'x' }))).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(Date.now() - startedAt).toBeLessThan(deadline + 500);
  });

  it('ends for each caller by its own deadline, also when another request made the call and has more time', async () => {
    const asked = within(60_000, () => client.call(hang, { text: 'x' }));
    const startedAt = Date.now();
    await expect(within(300, () => client.join(hang, asked))).rejects.toMatchObject({ code: 'unavailable' });
    expect(Date.now() - startedAt).toBeLessThan(300 + 500);
    releases.forEach((release) => release());
    await expect(within(300, () => client.join(hang, asked))).resolves.toEqual({ text: '' });
  });

  it('of a shard reaches the instance that holds it, also when it takes the shard while the caller waits', async () => {
    const waiting = client.call(ofShard, { text: 'x' }, { shard: 7 });
    await server.takeShard(7);
    await expect(waiting).resolves.toEqual({ text: 'x', shard: 7 });
    await server.leaveShard(7);
    await expect(within(200, () => client.call(ofShard, { text: 'x' }, { shard: 7 }))).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

it('no work is begun for a caller that has stopped waiting', async () => {
  const late = codec.encode(echo.subject, { request_id: 'r', deadline: Date.now(), body: { text: 'x' } });
  const reply = await connection.request(echo.subject, late, { timeout: 1_000 });
  expect(codec.decode(echo.subject, reply.data)).toEqual({ ok: false, code: 'unavailable', nothing_done: true });
});

it('a handler has a deadline in whole milliseconds', async () => {
  const timed = define('timed');
  const bus = new BusServer(connection, codec, `${subject}-timed`);
  const seen: (number | undefined)[] = [];
  const work = async () => (seen.push(currentRequest()?.deadline), { text: 'x' });
  bus.serve(timed, work);
  await new Promise((listening) => bus.listen(listening));
  await within(1_000.75, () => client.call(timed, { text: 'x' }));
  expect(seen).toEqual([expect.any(Number)]);
  expect(seen.every(Number.isInteger)).toBe(true);
  await bus.close();
});

describe('a call whose connection to the broker breaks', () => {
  const DEADLINE_MS = 5_000;

  const NOWHERE = 1;
  let port: number;
  let proxy: TcpProxy;
  let breaking: NatsConnection;
  let caller: BusClient;

  beforeEach(async () => {
    const url = new URL(testNatsUrl());
    port = Number(url.port);
    proxy = await TcpProxy.listen(() => port);
    url.port = String(proxy.port);
    breaking = await connectToBus(url.href, 'breaking');
    caller = new BusClient(breaking, codec);
  });
  afterEach(async () => {
    await breaking.close();
    await proxy.close();
  });

  const cut = () => proxy.open().forEach((passage) => passage.cut());
  const call = (operation: typeof echo) => within(DEADLINE_MS, () => caller.call(operation, { text: 'x' }));

  /** A call that is under way when its connection is cut. */
  async function cutOff() {
    const begun = releases.length;
    const waiting = call(hang);
    await eventually('it to be under way', () => releases.length > begun);
    cut();
    return { waiting, begun: begun + 1 };
  }

  it('is answered once the connection is back, and handled once; the next one waits for the connection', async () => {
    const startedAt = performance.now();
    const { waiting, begun } = await cutOff();
    await expect(call(echo)).resolves.toEqual({ text: 'x' });
    expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS / 2);
    expect(releases).toHaveLength(begun);
    releases.splice(0).forEach((release) => release());
    await expect(waiting).resolves.toEqual({ text: '' });
  });

  it('is sent again when it only reads, as soon as the connection is back', async () => {
    const question = define('cut-question', 'any', true);
    const bus = new BusServer(connection, codec, `${subject}-cut`);
    const works = [() => new Promise<object>((answer) => releases.push(() => answer({ text: '' })))];
    const work = () => works.shift()?.() ?? Promise.resolve({ text: 'x' });
    bus.serve(question, work as never);
    await new Promise((listening) => bus.listen(listening));
    const asked = call(question);
    await eventually('it to be under way', () => works.length === 0);
    cut();
    await expect(asked).resolves.toEqual({ text: 'x' });
    releases.forEach((release) => release());
    await bus.close();
  });

  it('is followed by calls that are not executed until the connection is back, and are refused in time', async () => {
    port = NOWHERE;
    const { waiting } = await cutOff();
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable', notExecuted: false });
    const startedAt = performance.now();
    await expect(call(echo)).rejects.toMatchObject({ code: 'unavailable', notExecuted: true });
    expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS - 1_000);
  });
});

describe('an instance that hangs beside a sound one', () => {
  const ASKED_AGAIN_WITHIN_MS = 4_000;

  async function beside(name: string, readOnly: boolean) {
    const asked = define(name, 'any', readOnly);
    const seen = { hung: 0, answered: 0 };
    const hung = () => new Promise<object>((answer) => releases.push(() => answer({ text: '' })));
    const servers = [
      { work: () => ((seen.hung += 1), hung()), bus: new BusServer(connection, codec, `${subject}-pair`) },
      {
        work: async () => ((seen.answered += 1), { text: 'x' }),
        bus: new BusServer(connection, codec, `${subject}-pair`),
      },
    ];
    for (const { work, bus } of servers) {
      bus.serve(asked, work as never);
      await new Promise((listening) => bus.listen(listening));
    }
    const calls = Array.from({ length: 20 }, () =>
      within(ASKED_AGAIN_WITHIN_MS, () => client.call(asked, { text: 'x' })),
    );
    const ended = await Promise.allSettled(calls);
    releases.forEach((release) => release());
    await Promise.all(servers.map(({ bus }) => bus.close()));
    return { ...seen, lost: ended.filter(({ status }) => status === 'rejected').length };
  }

  it('does not keep a read from its answer: it is sent again', async () => {
    const { hung, lost } = await beside('question', true);
    expect(hung).toBeGreaterThan(0);
    expect(lost).toBeLessThan(hung);
  });

  it('does not keep a read from its answer when the other can’t answer either', async () => {
    const asked = define('slow-question', 'any', true);
    const bus = new BusServer(connection, codec, `${subject}-slow`);
    let answer = (): void => undefined;
    const first = new Promise<object>((resolve) => (answer = () => resolve({ text: 'late' })));
    const works = [() => first, () => Promise.reject(Refusal.notExecuted())];
    bus.serve(asked, (() => (works.shift() as () => Promise<object>)()) as never);
    await new Promise((listening) => bus.listen(listening));
    const call = within(ASKED_AGAIN_WITHIN_MS, () => client.call(asked, { text: 'x' }));
    await eventually('it to be asked twice', () => works.length === 0);
    // The second instance's refusal has arrived once a later call has been answered on the same connection.
    await client.call(echo, { text: 'x' });
    answer();
    await expect(call).resolves.toEqual({ text: 'late' });
    await bus.close();
  });

  it('receives a command only once', async () => {
    const { hung, answered, lost } = await beside('command', false);
    expect(lost).toBe(hung);
    expect(hung + answered).toBe(20);
  });
});

describe('what must not end the process', () => {
  it.each([
    ['not sealed', Buffer.from('{"body":{}}')],
    ['empty', Buffer.alloc(0)],
    [
      'sealed for another subject',
      codec.encode('another', { request_id: 'r', deadline: Date.now() + 1_000, body: { text: 'x' } }),
    ],
    ['sealed with another key', new SealedCodec(Buffer.alloc(32, 2)).encode(echo.subject, {})],
    ['no request', codec.encode(echo.subject, 'x')],
  ])('a message that is %s reaches no handler', async (_what, bytes) => {
    const reply = await connection.request(echo.subject, bytes, { timeout: 1_000 });
    expect(codec.decode(echo.subject, reply.data)).toEqual({ ok: false, code: 'validation_failed' });
    await expect(client.call(echo, { text: 'still here' })).resolves.toBeDefined();
  });

  it('a message that asks for no reply reaches no handler', async () => {
    connection.publish(
      fail.subject,
      codec.encode(fail.subject, { request_id: 'r', deadline: Date.now() + 1_000, body: { text: 'x' } }),
    );
    await connection.flush();
    await expect(client.call(echo, { text: 'still here' })).resolves.toBeDefined();
  });
});

describe('what is on the wire', () => {
  it('shows nothing of a request or its reply', async () => {
    const seen: Uint8Array[] = [];
    connection.subscribe('>', { callback: (_error, message) => void seen.push(message.data) });
    await client.call(echo, { text: 'canary' });
    await eventually('request and reply to pass', () => seen.length >= 2);
    expect(seen.some((bytes) => Buffer.from(bytes).includes('canary'))).toBe(false);
  });
});

describe('more messages than there are slots', () => {
  it('queue, the oldest first; those of shards need no slot', async () => {
    const bounded = new BusServer(connection, codec, `${subject}-turns`, { atOnce: 1 });
    const turns = define('turns');
    const begun: string[] = [];
    const answers: (() => void)[] = [];
    const work = ({ text }: { text: string }) => (
      begun.push(text),
      new Promise((answer) => answers.push(() => answer({ text })))
    );
    bounded.serve(turns, work as never);
    bounded.serve(ofShard, (asked: { text: string }) => Promise.resolve(asked));
    await new Promise((listening) => bounded.listen(listening));
    await bounded.takeShard(14);
    const calls = ['first', 'second', 'third'].map((text) => client.call(turns, { text }));
    // Answered before all earlier messages: those have arrived, since they share its connection.
    await client.call(ofShard, { text: 'x' }, { shard: 14 });
    for (const text of ['first', 'second', 'third']) {
      await eventually(`${text} to have its turn`, () => begun.at(-1) === text);
      answers.shift()?.();
    }
    await expect(Promise.all(calls)).resolves.toEqual(['first', 'second', 'third'].map((text) => ({ text })));
    expect(begun).toHaveLength(3);
    await bounded.close();
  });

  it('release their slots while they wait for another service', async () => {
    const bounded = new BusServer(connection, codec, `${subject}-waiting-turns`, { atOnce: 1 });
    const relayed = define('relayed-turns');
    const work = async ({ text }: { text: string }) => (text === 'waits' ? client.call(hang, { text }) : { text });
    bounded.serve(relayed, work);
    await new Promise((listening) => bounded.listen(listening));
    const ended: string[] = [];
    const asked = (text: string) => client.call(relayed, { text }).finally(() => ended.push(text));
    const waits = asked('waits').catch((error: unknown) => error);
    await asked('works');
    expect(ended).toEqual(['works']);
    releases.splice(0).forEach((release) => release());
    await waits;
    await bounded.close();
  });

  it('are refused as not executed when too little time is left for them', async () => {
    const bounded = new BusServer(connection, codec, `${subject}-late-turns`, { atOnce: 1 });
    const slow = define('slow-turns');
    const answers: (() => void)[] = [];
    const work = () => new Promise<object>((answer) => answers.push(() => answer({ text: 'done' })));
    bounded.serve(slow, work as never);
    await new Promise((listening) => bounded.listen(listening));
    const first = client.call(slow, { text: 'x' });
    await eventually('the first to have begun', () => answers.length === 1);
    const context = { ...freshRequestContext(), deadline: Date.now() + 1_500 };
    const late = withRequestContext(context, () => client.call(slow, { text: 'x' }));
    setTimeout(() => answers[0]?.(), 700);
    await expect(late).rejects.toMatchObject({ code: 'unavailable', notExecuted: true });
    await expect(first).resolves.toEqual({ text: 'done' });
    expect(answers).toHaveLength(1);
    await bounded.close();
  });
});

describe('more messages than are answered at once', () => {
  it('are refused at once as not executed; those before them are answered', async () => {
    const bounded = new BusServer(connection, codec, `${subject}-bounded`, { maxInFlight: 2 });
    const busy = define('busy');
    const answers: (() => void)[] = [];
    const work = () => new Promise<object>((answer) => answers.push(() => answer({ text: 'done' })));
    bounded.serve(busy, work as never);
    await new Promise((listening) => bounded.listen(listening));
    const taken = [client.call(busy, { text: 'x' }), client.call(busy, { text: 'x' })];
    await eventually('both to have begun', () => answers.length === 2);
    const startedAt = performance.now();
    await expect(client.call(busy, { text: 'x' })).rejects.toMatchObject({ code: 'unavailable', notExecuted: true });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    answers.forEach((answer) => answer());
    await expect(Promise.all(taken)).resolves.toHaveLength(2);
    await bounded.close();
  });

  it('of a shard are refused with unknown outcome: its next holder may have received the same command', async () => {
    const full = new BusServer(connection, codec, `${subject}-full`, { maxInFlight: 0 });
    full.serve(ofShard, (() => Promise.resolve({})) as never);
    await full.takeShard(13);
    await expect(client.call(ofShard, { text: 'x' }, { shard: 13 })).rejects.toMatchObject({
      code: 'unavailable',
      notExecuted: false,
    });
    await full.close();
  });

  it('are refused with unknown outcome for the first caller: the service between may have done something before', async () => {
    const relaying = new BusServer(connection, codec, `${subject}-relaying`);
    const outer = define('outer');
    relaying.serve(outer, () => Promise.reject(Refusal.notExecuted()));
    await new Promise((listening) => relaying.listen(listening));
    const refused = client.call(outer, { text: 'x' });
    await expect(refused).rejects.toMatchObject({ code: 'unavailable', notExecuted: false });
    await relaying.close();
  });
});

describe('a shard whose last holder hangs', () => {
  it('is answered by its successor every time', async () => {
    const hung = new BusServer(connection, codec, subject);
    hung.serve(ofShard, () => new Promise(() => undefined));
    await hung.takeShard(9);
    await server.takeShard(9);
    const asked = Array.from({ length: 10 }, () =>
      within(2_000, () => client.call(ofShard, { text: 'x' }, { shard: 9 })),
    );
    await expect(Promise.all(asked)).resolves.toEqual(Array(10).fill({ text: 'x', shard: 9 }));
    await server.leaveShard(9);
  });
});

describe('an instance that leaves a shard', () => {
  it('answers what has arrived for it first', async () => {
    await server.takeShard(8);
    const waiting = releases.length;
    const held = client.call(slowOfShard, { text: 'x' }, { shard: 8 });
    const answered = held.then(() => 'answered');
    await eventually('it arrives', () => releases.length > waiting);
    setTimeout(() => releases.splice(0).forEach((release) => release()), 300);
    const left = server.leaveShard(8).then(() => delay(100, 'left'));
    await expect(Promise.race([answered, left])).resolves.toBe('answered');
    await left;
  });
});

describe('the metrics of the bus', () => {
  it('are labelled by operation and outcome, refusals by their code, on both sides', async () => {
    await client.call(echo, { text: 'measured' });
    await client.call(refuse, { text: '' }).catch(() => undefined);
    await client.call(fail, { text: '' }).catch(() => undefined);
    for (const metric of ['bus_call_duration_seconds_count', 'bus_answer_duration_seconds_count']) {
      const series = (await seriesOf(metric)).map((line) => line.slice(0, line.lastIndexOf(' ')));
      expect(series).toEqual(
        expect.arrayContaining([
          `${metric}{subject="echo",outcome="ok"}`,
          `${metric}{subject="refuse",outcome="refused"}`,
          `${metric}{subject="fail",outcome="internal_error"}`,
        ]),
      );
    }
    expect((await seriesOf('bus_refusals_total')).join()).toContain('{subject="refuse",code="insufficient_funds"}');
  });

  it('have no further series for other shards, unknown subjects, or 10,000 messages', async () => {
    await server.takeShard(11);
    await client.call(ofShard, { text: 'first' }, { shard: 11 });
    const text = { text: 'ada@canary' };
    await connection.request(`${subject}.echo`, Buffer.from('0'), { timeout: 5_000 });
    const before = (await metricsText()).split('\n').length;
    for (let index = 0; index < 10_000; index += 1) {
      connection.publish(`${subject}.echo`, Buffer.from(`ada@canary.example ${index}`), { reply: `answer.${index}` });
      connection.publish(`${subject}.unknown-${index}`, Buffer.from('{}'), { reply: `answer.${index}` });
      // All of them at once would delay this connection's own pings until it is given up.
      if (index % 500 === 0) await connection.flush();
    }
    for (const shard of [12, 13, 14]) {
      await server.takeShard(shard);
      await client.call(ofShard, text, { shard });
    }
    // Answered after all of them, which share its connection.
    await client.call(echo, text);
    expect((await metricsText()).split('\n').length).toBe(before);
    expect(await metricsText()).not.toContain('ada@canary');
    await Promise.all([11, 12, 13, 14].map((shard) => server.leaveShard(shard)));
  }, 120_000);
});
