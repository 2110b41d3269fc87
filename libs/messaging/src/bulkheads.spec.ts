import { Bulkheads, ServiceFull } from './bulkheads';
import { withRequestContext } from './request-context';

const SUBJECT = 'customer.find-owner';
let release: () => void;
let released: Promise<void>;

beforeEach(() => {
  released = new Promise((go) => (release = go));
});

/** A request that makes so many calls at a time; resolves when all are answered. */
const request = (bulkheads: Bulkheads, calls: number): Promise<unknown> =>
  withRequestContext({ requestId: 'spec', deadline: Infinity }, () =>
    Promise.all(Array.from({ length: calls }, () => bulkheads.within(SUBJECT, () => released))),
  );

describe('a bulkhead', () => {
  it('counts a request once, however many calls it makes at a time', async () => {
    const bulkheads = new Bulkheads(2);
    const first = request(bulkheads, 20);
    expect(bulkheads.isFull('customer')).toBe(false);
    const second = request(bulkheads, 1);
    expect(bulkheads.isFull('customer')).toBe(true);
    await expect(request(bulkheads, 1)).rejects.toThrow(ServiceFull);
    release();
    await Promise.all([first, second]);
    expect(bulkheads.isFull('customer')).toBe(false);
  });

  it('counts each call that no request asked for', async () => {
    const bulkheads = new Bulkheads(2);
    const calls = [1, 2].map(() => bulkheads.within(SUBJECT, () => released));
    await expect(bulkheads.within(SUBJECT, () => released)).rejects.toThrow(ServiceFull);
    release();
    await Promise.all(calls);
  });

  it('is of one service', async () => {
    const bulkheads = new Bulkheads(1);
    const waiting = request(bulkheads, 1);
    await expect(bulkheads.within('wallet.get-wallet', () => Promise.resolve('read'))).resolves.toBe('read');
    release();
    await waiting;
  });
});
