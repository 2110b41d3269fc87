import { RequestQueue } from './request-queue';

const filled = (...addresses: readonly string[]): RequestQueue<string> => {
  const queue = new RequestQueue<string>();
  addresses.forEach((address, number) => queue.add(address, `${address}${number}`));
  return queue;
};

const all = (queue: RequestQueue<string>): string[] => {
  const requests: string[] = [];
  for (let next = queue.next(); next; next = queue.next()) requests.push(next);
  return requests;
};

describe('requests that wait to be started', () => {
  it('are started in turns by address, and of one address in the order of their arrival', () => {
    expect(all(filled('a', 'a', 'a', 'a', 'b', 'c', 'b'))).toEqual(['a0', 'b4', 'c5', 'a1', 'b6', 'a2', 'a3']);
  });

  it('an address that comes back does not overtake those that waited meanwhile', () => {
    const queue = filled('a', 'b', 'c');
    expect(queue.next()).toBe('a0');
    queue.add('a', 'again');
    expect(all(queue)).toEqual(['b1', 'c2', 'again']);
    expect(queue.isEmpty).toBe(true);
  });

  it.each([
    ['one address: all of the others', ['a', 'a', 'a'], 3],
    ['as many of each: all of the others', ['b', 'c', 'd'], 3],
    ['a caller that has none, beside another that has many: one of those', ['b', 'b', 'b', 'b', 'b'], 1],
    ['a caller that has one as well: three', ['a', 'b', 'b', 'b', 'b', 'b'], 3],
    ['a caller that has many: no more than there are', ['a', 'a', 'a', 'a', 'a', 'b'], 6],
  ])('count, for the next of %s', (_case, addresses, count) => {
    expect(filled(...addresses).countFor('a')).toBe(count);
  });
});
