import { BackgroundLoop, BackgroundWork } from './background-loop';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const passing = (ms: number) => jest.advanceTimersByTimeAsync(ms);

function loopOf(work: Partial<BackgroundWork>) {
  const errors: unknown[] = [];
  const failed = (error: unknown) => {
    errors.push(error);
    return 50;
  };
  return { errors, loop: new BackgroundLoop({ pass: () => Promise.resolve(100), failed, ...work }) };
}

describe('a background loop', () => {
  it('makes pass after pass, each after the pause that the one before asked for', async () => {
    const pass = jest.fn().mockResolvedValueOnce(0).mockResolvedValue(100);
    const { loop } = loopOf({ pass });
    loop.start();
    await passing(0);
    expect(pass).toHaveBeenCalledTimes(2);
    await passing(99);
    expect(pass).toHaveBeenCalledTimes(2);
    await passing(1);
    expect(pass).toHaveBeenCalledTimes(3);
    await loop.stop();
  });

  it('waits before the first pass where that is set', async () => {
    const pass = jest.fn().mockResolvedValue(100);
    const { loop } = loopOf({ pass, firstPauseMs: 1_000 });
    loop.start();
    await passing(999);
    expect(pass).not.toHaveBeenCalled();
    await passing(1);
    expect(pass).toHaveBeenCalledTimes(1);
    await loop.stop();
  });

  it('gathers wakes where that is set: those that come meanwhile share a pass', async () => {
    const pass = jest.fn().mockResolvedValue(1_000);
    const { loop } = loopOf({ pass, gatherMs: 200 });
    loop.start();
    await passing(0);
    loop.wake();
    await passing(199);
    loop.wake();
    expect(pass).toHaveBeenCalledTimes(1);
    await passing(1);
    expect(pass).toHaveBeenCalledTimes(2);
    await passing(200);
    expect(pass).toHaveBeenCalledTimes(2);
    loop.wake();
    await passing(200);
    expect(pass).toHaveBeenCalledTimes(3);
    loop.wake();
    await loop.stop();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('makes the next pass at once when it is woken, also while a pass is running', async () => {
    const ends: (() => void)[] = [];
    const pass = jest.fn(
      () =>
        new Promise<number>((end) =>
          ends.push(() => {
            end(100);
          }),
        ),
    );
    const { loop } = loopOf({ pass });
    loop.start();
    await passing(0);
    loop.wake();
    ends.shift()?.();
    await passing(0);
    expect(pass).toHaveBeenCalledTimes(2);
    ends.shift()?.();
    await passing(0);
    loop.wake();
    await passing(0);
    expect(pass).toHaveBeenCalledTimes(3);
    ends.shift()?.();
    await loop.stop();
  });

  it('goes on after a pass that fails', async () => {
    const pass = jest.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue(100);
    const { loop, errors } = loopOf({ pass });
    loop.start();
    await passing(49);
    expect(errors).toEqual([new Error('away')]);
    expect(pass).toHaveBeenCalledTimes(1);
    await passing(1);
    expect(pass).toHaveBeenCalledTimes(2);
    await loop.stop();
  });

  it('stops after the pass that is running, which sees the signal, and makes no other', async () => {
    let end = (): void => undefined;
    let seen: AbortSignal | undefined;
    const pass = jest.fn((signal: AbortSignal) => {
      seen = signal;
      return new Promise<number>(
        (done) =>
          (end = () => {
            done(0);
          }),
      );
    });
    const { loop } = loopOf({ pass });
    loop.start();
    await passing(0);
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await passing(0);
    expect([seen?.aborted, stopped]).toEqual([true, false]);
    end();
    await stopping;
    expect(pass).toHaveBeenCalledTimes(1);
  });
});
