import { EventFeed, OVERLAP_MS } from './event-feed';

interface Listed {
  id: string;
  created_at: string;
}

const PAGE_SIZE = 2;
const NOW_MS = Date.parse('2026-11-23T08:00:00.000Z');
const event = (id: string, atMs: number): Listed => ({ id, created_at: new Date(NOW_MS + atMs).toISOString() });

/** A service's list, newest first, in pages. `onPage` is called before one is read. */
class EventList {
  readonly events: Listed[] = [];
  readonly pagesRead: number[] = [];
  onPage: (page: number) => void = () => undefined;

  readonly load = (page: number) => {
    this.onPage(page);
    this.pagesRead.push(page);
    const sorted = [...this.events].sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
    const data = sorted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
    return Promise.resolve({ data, pagination: { totalPages: Math.ceil(sorted.length / PAGE_SIZE) } });
  };
}

async function feedOf(list: EventList) {
  const feed = new EventFeed(list.load);
  await feed.start();
  return async () => (await feed.next()).map(({ id }) => id);
}

describe('the feed of events', () => {
  it('begins after the events of now, gives each new one once, oldest first', async () => {
    const list = new EventList();
    list.events.push(event('old', 0), event('older', -OVERLAP_MS * 9));
    const next = await feedOf(list);
    expect(await next()).toEqual([]);
    list.events.push(event('b', 20), event('a', 10), event('c', 30));
    expect(await next()).toEqual(['a', 'b', 'c']);
    expect(await next()).toEqual([]);
  });

  it('begins with the first event of a merchant who had none', async () => {
    const list = new EventList();
    const next = await feedOf(list);
    list.events.push(event('first', 0));
    expect(await next()).toEqual(['first']);
  });

  it('reads as many pages as came since, and no page beyond what it has seen', async () => {
    const list = new EventList();
    list.events.push(
      ...['x', 'y', 'z', 'v', 'w'].map((id, index) => event(id, -OVERLAP_MS * (index + 2))),
      event('o', 0),
    );
    const next = await feedOf(list);
    for (let number = 1; number <= 7; number += 1) list.events.push(event(`n${number}`, number));
    list.pagesRead.length = 0;
    expect(await next()).toHaveLength(7);
    expect(list.pagesRead).toEqual([1, 2, 3, 4, 5]);
  });

  it('finds an event that enters the list below ones that it has seen', async () => {
    const list = new EventList();
    list.events.push(event('old', 0));
    const next = await feedOf(list);
    list.events.push(event('a', 50), event('b', 60));
    await next();
    list.events.push(event('late', 10));
    expect(await next()).toEqual(['late']);
    list.events.push(event('much later', OVERLAP_MS), event('c', 70));
    expect(await next()).toEqual(['c', 'much later']);
    expect(await next()).toEqual([]);
  });

  it('loses none to events that come in while it reads the pages', async () => {
    const list = new EventList();
    const next = await feedOf(list);
    for (let number = 1; number <= 4; number += 1) list.events.push(event(`n${number}`, number));
    list.onPage = (page) => {
      if (page === 2) list.events.push(event('meanwhile', 100));
      if (page === 2) list.onPage = () => undefined;
    };
    const found = [...(await next()), ...(await next())];
    expect([...found].sort()).toEqual(['meanwhile', 'n1', 'n2', 'n3', 'n4']);
  });

  it('gives what a failed look did not', async () => {
    const list = new EventList();
    const next = await feedOf(list);
    for (let number = 1; number <= 4; number += 1) list.events.push(event(`n${number}`, number));
    list.onPage = (page) => {
      if (page === 2) throw new Error('away');
    };
    await expect(next()).rejects.toThrow('away');
    list.onPage = () => undefined;
    expect(await next()).toEqual(['n1', 'n2', 'n3', 'n4']);
  });
});
