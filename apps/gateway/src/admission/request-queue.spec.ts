import { RequestQueue, RequestQueues } from './request-queue';

const filled = (...addresses: readonly string[]): RequestQueue<string> => {
  const queue = new RequestQueue<string>();
  addresses.forEach((address, number) => queue.add(address, `${address}${number}`));
  return queue;
};

const all = (queue: RequestQueue<string>): string[] => {
  const requests: string[] = [];
  for (let next = queue.next(); next; next = queue.next()) requests.push(next.request);
  return requests;
};

describe('requests that wait to be started', () => {
  it('are started in turns by address, and of one address in the order of their arrival', () => {
    expect(all(filled('a', 'a', 'a', 'a', 'b', 'c', 'b'))).toEqual(['a0', 'b4', 'c5', 'a1', 'b6', 'a2', 'a3']);
  });

  it('an address that comes back does not overtake those that waited meanwhile', () => {
    const queue = filled('a', 'b', 'c');
    expect(queue.next()?.request).toBe('a0');
    queue.add('a', 'again');
    expect(all(queue)).toEqual(['b1', 'c2', 'again']);
    expect(queue.isEmpty).toBe(true);
  });

  it.each([
    ['one address: all of the others', ['a', 'a', 'a', 'a'], 3],
    ['as many of each: all of the others', ['a', 'b', 'c', 'd'], 3],
    ['a caller that has one, beside another that has many: those two', ['a', 'b', 'b', 'b', 'b', 'b'], 1],
    ['a caller that has many: no more than there are', ['b', 'b', 'b', 'b', 'b', 'a'], 5],
  ])('count, for %s', (_case, addresses, queued) => {
    expect(filled(...addresses).next()?.queued).toBe(queued);
  });

  it("are a merchant's in every second turn, and not counted with those of others", () => {
    const queues = new RequestQueues<string>();
    const addresses = Array.from({ length: 600 }, (_, number) => `address ${number}`);
    addresses.forEach((address) => queues.add({ address, merchant: undefined }, 'other'));
    queues.add({ address: 'address 0', merchant: 'm' }, 'm1');
    queues.add({ address: 'elsewhere', merchant: 'm' }, 'm2');
    const begun = Array.from({ length: 602 }, () => queues.next());
    expect(begun.slice(0, 5).map((next) => next?.request)).toEqual(['m1', 'other', 'm2', 'other', 'other']);
    expect(begun.slice(0, 3).map((next) => next?.queued)).toEqual([1, 599, 0]);
    expect(queues.isEmpty).toBe(true);
  });
});
