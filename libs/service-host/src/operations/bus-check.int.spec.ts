import { Logger } from '@nestjs/common';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { eventually } from '@stablecoin/testing/eventually';
import { testNatsUrl } from '@stablecoin/testing/nats';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { NatsConnection } from 'nats';
import { busCheck } from './operations.module';
import { Readiness } from './readiness';

let proxy: TcpProxy;
let connection: NatsConnection;

beforeEach(async () => {
  Logger.overrideLogger(false);
  const before = await TcpProxy.inFrontOf(testNatsUrl());
  proxy = before.proxy;
  connection = await connectToBus(before.through, 'bus-check');
});

afterEach(async () => {
  await connection.close();
  await proxy.close();
});

it('a process is not ready while its broker does not answer', async () => {
  const readiness = new Readiness();
  readiness.add(busCheck(connection));
  readiness.serve();
  expect(await readiness.report()).toMatchObject({ ready: true, checks: { bus: { ok: true } } });
  proxy.open().forEach((passage) => passage.freeze());
  const missed = await eventually('it is missed', async () => {
    const report = await readiness.report();
    return !report.ready && report;
  });
  expect(missed.checks['bus']).toEqual({ ok: false, why: expect.stringMatching(/^does not answer/) as string });
});

it('nor once its connection is closed', async () => {
  await connection.close();
  await expect(busCheck(connection).look()).resolves.toBe('is closed');
});
