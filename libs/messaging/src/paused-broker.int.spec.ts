import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@stablecoin/testing/eventually';
import { uniqueName } from '@stablecoin/testing/nats';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { Events, NatsConnection } from 'nats';
import { connectToBus } from './bus-connection';

/** Long enough for the client to notice the pause and to give up several attempts to connect. */
const PAUSED_MS = 14_000;
/** The broker closes a connection that sends no CONNECT within two seconds, or answers no ping within four. */
const SETTLED_AFTER_MS = 8_000;

let broker: OwnNats;
let connection: NatsConnection;

beforeAll(async () => {
  broker = await startOwnNats();
  connection = await connectToBus(broker.url, 'paused');
});

afterAll(async () => {
  await connection.close();
  await broker.stop();
});

it('a broker that was paused is connected to once, and stays connected', async () => {
  const told: string[] = [];
  void (async () => {
    for await (const { type } of connection.status()) told.push(type);
  })();
  const subject = uniqueName('paused');
  let heard = 0;
  connection.subscribe(subject, {
    callback: (_, message) => {
      heard += 1;
      message.respond('here');
    },
  });
  process.kill(broker.pid, 'SIGSTOP');
  await delay(PAUSED_MS);
  process.kill(broker.pid, 'SIGCONT');
  await eventually('an answer', () => connection.request(subject, '', { timeout: 500 }), { timeoutMs: 6_000 });
  // Nothing may happen meanwhile: the connection must not be replaced again.
  await delay(SETTLED_AFTER_MS);
  heard = 0;
  await connection.request(subject, '', { timeout: 500 });
  expect(heard).toBe(1);
  expect(told.filter((type) => type === Events.Disconnect || type === Events.Reconnect)).toEqual([
    Events.Disconnect,
    Events.Reconnect,
  ]);
}, 40_000);
