import { OPERATION_KINDS } from './traffic/operation';
import { Felt, Recoveries, recoveryMs } from './recoveries';

let recoveries: Recoveries;

beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000 });
  recoveries = new Recoveries([0, 1]);
});

afterEach(() => jest.useRealTimers());

const succeed = (shards: readonly number[], sentAt = Date.now()) =>
  shards.forEach((shard) => OPERATION_KINDS.forEach((kind) => recoveries.succeeded(kind, shard, sentAt)));

describe('a recovery', () => {
  it('is complete when every kind of operation has succeeded on every shard', () => {
    const felt = recoveries.begin('kill', false);
    jest.advanceTimersByTime(2_000);
    succeed([0]);
    expect(recoveryMs(felt)).toBeUndefined();
    jest.advanceTimersByTime(500);
    succeed([1]);
    expect(recoveryMs(felt)).toBe(2_500);
    expect(felt.last).toEqual({ kind: 'settlement', shard: 1 });
  });

  it('counts nothing that was sent before the fault was over', () => {
    const sentBefore = Date.now();
    jest.advanceTimersByTime(10);
    const felt = recoveries.begin('kill', false);
    succeed([0, 1], sentBefore);
    expect(felt.recoveredAt).toBeUndefined();
  });

  it('of a fault that lasts begins at its end, and so does that of a connection broken meanwhile', () => {
    const outage = recoveries.begin('away', true);
    jest.advanceTimersByTime(1_000);
    const cut = recoveries.beginMinor('cut');
    jest.advanceTimersByTime(59_000);
    recoveries.ended(outage);
    jest.advanceTimersByTime(3_000);
    succeed([0, 1]);
    expect([outage, cut].map(recoveryMs)).toEqual([3_000, 3_000]);
  });

  it('of a connection is judged together with the kill that followed, a kill by itself', () => {
    const unrecovered = recoveries.begin('kill', false);
    const cut = recoveries.beginMinor('cut');
    jest.advanceTimersByTime(1_000);
    const kill = recoveries.begin('another kill', false);
    jest.advanceTimersByTime(4_000);
    succeed([0, 1]);
    expect([unrecovered, cut, kill].map(recoveryMs)).toEqual([5_000, 4_000, 4_000]);
  });

  it('is awaited of what is over and has not been seen to work since', () => {
    expect(recoveries.awaited().size).toBe(0);
    const outage = recoveries.begin('away', true);
    expect(recoveries.awaited().size).toBe(0);
    recoveries.ended(outage);
    const [first, ...others] = OPERATION_KINDS;
    succeed([0]);
    expect([...recoveries.awaited()]).toEqual(OPERATION_KINDS.map((kind) => ({ kind, shard: 1 })));
    recoveries.succeeded(first, 1, Date.now());
    expect([...recoveries.awaited()]).toEqual(others.map((kind) => ({ kind, shard: 1 })));
    succeed([1]);
    expect(recoveries.awaited().size).toBe(0);
  });

  it('is waited for no longer than it may take', async () => {
    const felt: Felt = recoveries.begin('kill', false);
    const waiting = recoveries.until(felt, 5_000);
    jest.advanceTimersByTime(5_000);
    await waiting;
    expect(felt.recoveredAt).toBeUndefined();
    const recovering = recoveries.until(felt, 5_000);
    succeed([0, 1]);
    await recovering;
    expect(recoveryMs(felt)).toBe(5_000);
  });

  it('of the last ones is waited for, each as long as it may take', async () => {
    const [cut, never] = [recoveries.beginMinor('cut'), recoveries.begin('away', true)];
    let over = false;
    const waiting = recoveries.untilAll(5_000).then(() => (over = true));
    succeed([0, 1]);
    await Promise.resolve();
    expect([recoveryMs(cut), over]).toEqual([0, false]);
    jest.advanceTimersByTime(5_000);
    await waiting;
    expect([recoveryMs(never), over]).toEqual([undefined, true]);
  });
});
