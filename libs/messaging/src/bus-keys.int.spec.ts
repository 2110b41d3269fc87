/**
 * The bus's key is changed without a pause: every service accepts the next key before any service seals with it, and
 * the previous key until none does. Instances one step apart understand each other; an instance that skips a step
 * doesn't.
 */
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { testNatsUrl, uniqueName } from '@stablecoin/testing/nats';
import { NatsConnection } from 'nats';
import { BusClient } from './bus-client';
import { connectToBus } from './bus-connection';
import { BusServer } from './bus-server';
import { withRequestContext } from './request-context';
import { SealedCodec } from './sealed-codec';

class Echo {
  @IsText({ max: 10 }) text: string;
}

const [before, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const STEPS = [
  ['knows the key before only', new SealedCodec(before)],
  ['seals with the key before, accepts the next', new SealedCodec(before, next)],
  ['seals with the next key, accepts the one before', new SealedCodec(next, before)],
  ['knows the next key only', new SealedCodec(next)],
] as const;
const codecAt = (step: number): SealedCodec => (STEPS[step] as (typeof STEPS)[number])[1];
const PAIRS = STEPS.flatMap(([caller], from) =>
  STEPS.map(([answerer], to) => ({ caller, answerer, from, to, adjacent: Math.abs(from - to) <= 1 })),
);
const DEADLINE_MS = 1_000;

const connections: NatsConnection[] = [];
afterAll(() => Promise.all(connections.map((connection) => connection.close())));

async function connection(): Promise<NatsConnection> {
  const made = await connectToBus(testNatsUrl(), 'test');
  connections.push(made);
  return made;
}

const echoOf = (subject: string) =>
  operation({ subject, answeredBy: 'any', request: Echo, reply: replies<{ text: string }>(), errors: [] });
type EchoOperation = ReturnType<typeof echoOf>;

/** One instance of a service; those of one name share the work. */
async function answering(echo: EchoOperation, codec: SealedCodec): Promise<BusServer> {
  const server = new BusServer(await connection(), codec, echo.subject);
  server.serve(echo, async ({ text }: Echo) => ({ text }));
  await new Promise<void>((listening, failed) => server.listen((error) => (error ? failed(error) : listening())));
  return server;
}

const asking = (client: BusClient, echo: EchoOperation) =>
  withRequestContext({ requestId: 'request', deadline: Date.now() + DEADLINE_MS }, () =>
    client.call(echo, { text: 'hello' }),
  );

describe('a caller and a service in the steps of a change', () => {
  it.each(PAIRS.filter(({ adjacent }) => adjacent))(
    'understand each other: one $caller, one $answerer',
    async ({ from, to }) => {
      const echo = echoOf(uniqueName('keys'));
      const server = await answering(echo, codecAt(to));
      await expect(asking(new BusClient(await connection(), codecAt(from)), echo)).resolves.toEqual({ text: 'hello' });
      await server.close();
    },
  );

  it.each(PAIRS.filter(({ adjacent }) => !adjacent))(
    'do not, a step left out: one $caller, one $answerer',
    async ({ from, to }) => {
      const echo = echoOf(uniqueName('keys'));
      const server = await answering(echo, codecAt(to));
      await expect(asking(new BusClient(await connection(), codecAt(from)), echo)).rejects.toMatchObject({
        code: expect.stringMatching(/^(unavailable|validation_failed)$/) as string,
      });
      await server.close();
    },
  );
});

it('all instances rolled through the steps, one after the other, while they are called: no call fails', async () => {
  const echo = echoOf(uniqueName('keys'));
  const servers = [await answering(echo, codecAt(0)), await answering(echo, codecAt(0))];
  const clients = await Promise.all([0, 1].map(async () => new BusClient(await connection(), codecAt(0))));
  let [isOver, calls] = [false, 0];
  const calling = Promise.all(
    [0, 1].map(async (caller) => {
      for (; !isOver; calls += 1) await asking(clients[caller] as BusClient, echo);
    }),
  );
  for (const step of [1, 2, 3]) {
    for (const instance of [0, 1]) {
      const callsBefore = calls;
      const old = servers[instance] as BusServer;
      servers[instance] = await answering(echo, codecAt(step));
      await old.close();
      clients[instance] = new BusClient(await connection(), codecAt(step));
      while (calls < callsBefore + 20) await Promise.race([calling, asking(clients[instance], echo)]);
    }
  }
  isOver = true;
  await calling;
  expect(calls).toBeGreaterThan(100);
  await Promise.all(servers.map((server) => server.close()));
});

describe('the codec', () => {
  it('seals with the one key and never with the accepted one', () => {
    const sealed = new SealedCodec(before, next).encode('a', { text: 'x' });
    expect(new SealedCodec(before).decode('a', sealed)).toEqual({ text: 'x' });
    expect(() => new SealedCodec(next).decode('a', sealed)).toThrow('sealed with no key that is accepted here');
  });

  it.each(['key', 'accepted'])('refuses a short one as its %s key', (which) => {
    const short = Buffer.alloc(31);
    expect(() => (which === 'key' ? new SealedCodec(short, next) : new SealedCodec(next, short))).toThrow('32 bytes');
  });

  it('opens nothing of another subject, or changed, with either', () => {
    const codec = new SealedCodec(before, next);
    const sealed = new SealedCodec(next).encode('a', 1);
    expect(() => codec.decode('b', sealed)).toThrow('sealed with no key');
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    expect(() => codec.decode('a', sealed)).toThrow('sealed with no key');
  });
});
