import { RouteBacklog } from './route-backlog';

/** `count` requests in flight, one of which ends each `everyMs` while another begins; returns the moment of the last end. */
function load(
  backlog: RouteBacklog,
  { count, everyMs, ends }: { count: number; everyMs: number; ends: number },
): number {
  for (let begun = 0; begun < count; begun += 1) backlog.begin();
  for (let ended = 0; ended <= ends; ended += 1) {
    backlog.end(ended * everyMs);
    backlog.begin();
  }
  return ends * everyMs;
}

describe('the backlog of a route', () => {
  it('is not full before anything has ended, however many are in flight', () => {
    const backlog = new RouteBacklog();
    for (let begun = 0; begun < 1_000; begun += 1) backlog.begin();
    expect(backlog.isFull(0)).toBe(false);
  });

  it('is full when those in flight take longer than a request may wait', () => {
    const fast = new RouteBacklog();
    expect(fast.isFull(load(fast, { count: 300, everyMs: 5, ends: 400 }))).toBe(false);
    const slow = new RouteBacklog();
    expect(slow.isFull(load(slow, { count: 300, everyMs: 20, ends: 200 }))).toBe(true);
  });

  it('counts those that will have begun before', () => {
    const backlog = new RouteBacklog();
    const now = load(backlog, { count: 40, everyMs: 20, ends: 200 });
    expect([backlog.isFull(now, 100), backlog.isFull(now, 200)]).toEqual([false, true]);
  });

  it('is full when nothing has ended for seconds', () => {
    const backlog = new RouteBacklog();
    const now = load(backlog, { count: 40, everyMs: 5, ends: 400 });
    expect(backlog.isFull(now + 500)).toBe(false);
    expect(backlog.isFull(now + 4_000)).toBe(true);
  });

  it('of few slow requests is not full', () => {
    const backlog = new RouteBacklog();
    expect(backlog.isFull(load(backlog, { count: 31, everyMs: 200, ends: 200 }))).toBe(false);
  });
});
