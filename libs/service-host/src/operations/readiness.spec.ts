import { Logger } from '@nestjs/common';
import { Readiness } from './readiness';

beforeEach(() => {
  jest.useFakeTimers();
  Logger.overrideLogger(false);
});
afterEach(() => jest.useRealTimers());

function serving(): Readiness {
  const readiness = new Readiness();
  readiness.serve();
  return readiness;
}

const holds = () => Promise.resolve(undefined);

it('is ready while every check holds, and names each one', async () => {
  const readiness = serving();
  readiness.add({ name: 'database', look: holds }, { name: 'bus', look: holds });
  const checks = { database: { ok: true }, bus: { ok: true } };
  expect(await readiness.report()).toEqual({ ready: true, phase: 'serving', checks });
});

it('says which check does not hold, and nothing of what an error said', async () => {
  const readiness = serving();
  const secret = () => Promise.reject(new Error('postgresql://customer_app:secret@db'));
  readiness.add(
    { name: 'bus', look: holds },
    { name: 'migrations', look: () => Promise.resolve('lack 20260101000000_first') },
    { name: 'database', look: secret },
  );
  expect(await readiness.report()).toEqual({
    ready: false,
    phase: 'serving',
    checks: {
      bus: { ok: true },
      migrations: { ok: false, why: 'lack 20260101000000_first' },
      database: { ok: false, why: 'does not answer' },
    },
  });
});

it('is not ready before it serves, nor from the moment it drains on, whatever was found before', async () => {
  const readiness = new Readiness();
  readiness.add({ name: 'bus', look: holds });
  expect(await readiness.report()).toMatchObject({ ready: false, phase: 'starting' });
  readiness.serve();
  expect(await readiness.report()).toMatchObject({ ready: true });
  readiness.drain();
  readiness.serve();
  expect(await readiness.report()).toMatchObject({ ready: false, phase: 'draining', checks: { bus: { ok: true } } });
});

it('is not ready when draining begins while the checks are looked at', async () => {
  const readiness = serving();
  readiness.add({
    name: 'bus',
    look: () => {
      readiness.drain();
      return holds();
    },
  });
  expect(await readiness.report()).toMatchObject({ ready: false, phase: 'draining' });
});

it('runs its checks once a second, however many requests come', async () => {
  const readiness = serving();
  const look = jest.fn(holds);
  readiness.add({ name: 'database', look });
  await Promise.all(Array.from({ length: 50 }, () => readiness.report()));
  await jest.advanceTimersByTimeAsync(999);
  await readiness.report();
  expect(look).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1);
  await readiness.report();
  expect(look).toHaveBeenCalledTimes(2);
});

it('answers within a second though a check never ends, and begins no other beside it for a while', async () => {
  const readiness = serving();
  const look = jest.fn(() => new Promise<undefined>(() => undefined));
  readiness.add({ name: 'database', look });
  const first = readiness.report();
  await jest.advanceTimersByTimeAsync(1_000);
  const late = { ready: false, checks: { database: { ok: false, why: 'does not answer within 1000 ms' } } };
  expect(await first).toMatchObject(late);
  for (let second = 0; second < 8; second += 1) {
    const again = readiness.report();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await again).toMatchObject(late);
  }
  expect(look).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1_000);
  void readiness.report();
  expect(look).toHaveBeenCalledTimes(2);
});
