import { setTimeout as delay } from 'node:timers/promises';
import { createOperations } from './operations/operations.module';
import { Ending, Stopping } from './stopping';

const STOP_MS = 100;

function stoppingOf() {
  const ended: (number | string)[] = [];
  const ending: Ending = { exit: (code) => void ended.push(code), say: (words) => void ended.push(words) };
  const operations = createOperations();
  return { stopping: new Stopping('it', operations, ending, STOP_MS), readiness: operations.readiness, ended };
}

describe('a process that is asked to end', () => {
  it('drains for its lead, then closes, then ends', async () => {
    const { stopping, readiness, ended } = stoppingOf();
    const seen: unknown[] = [];
    stopping.closes({
      leadMs: 40,
      close: async () => void seen.push([readiness.draining, ended.length, performance.now() - askedAt >= 39]),
    });
    expect(readiness.draining).toBe(false);
    const askedAt = performance.now();
    const stopped = stopping.stop();
    expect(readiness.draining).toBe(true);
    expect(seen).toEqual([]);
    await stopped;
    expect(seen).toEqual([[true, 0, true]]);
    expect(ended).toEqual([0]);
  });

  it('closes once, however often it is asked', async () => {
    const { stopping, ended } = stoppingOf();
    let closed = 0;
    stopping.closes({ leadMs: 0, close: async () => void (closed += 1) });
    await Promise.all([stopping.stop(), stopping.stop(), delay(5).then(() => stopping.stop())]);
    expect({ closed, ended }).toEqual({ closed: 1, ended: [0] });
  });

  it('ends at once while there is nothing to close', async () => {
    const { stopping, ended } = stoppingOf();
    await stopping.stop();
    expect(ended).toEqual([0]);
  });

  it('ends without what hangs', async () => {
    const { stopping, ended } = stoppingOf();
    stopping.closes({ leadMs: 0, close: () => new Promise(() => undefined) });
    void stopping.stop();
    await delay(STOP_MS * 3);
    expect(ended).toEqual([expect.stringContaining('did not stop within'), 1]);
  });

  it('logs what went wrong', async () => {
    const { stopping, ended } = stoppingOf();
    stopping.closes({ leadMs: 0, close: () => Promise.reject(new Error('broken')) });
    await stopping.stop();
    expect(ended).toEqual([expect.stringContaining('broken'), 1]);
  });
});
