import { releasingSlot, ConcurrencyLimiter } from './concurrency-limiter';

const NOW = 1_000_000;
const IN_TIME = NOW + 4_000;

/** What has become of the requests that asked for a slot. */
let seen: string[];
let limiter: ConcurrencyLimiter;
/** Ends a request's work, or a call that it waits for, by name. */
let goOn: Map<string, () => void>;

beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  seen = [];
  goOn = new Map();
  limiter = new ConcurrencyLimiter(1);
});

afterEach(() => jest.useRealTimers());

const until = (name: string) => new Promise<void>((resolve) => goOn.set(name, resolve));

function ask(name: string, { deadline = IN_TIME, work = () => until(name) } = {}): void {
  const begun = () => (seen.push(`${name} begins`), work());
  const tooLate = () => new Error('is too late');
  limiter.run(deadline, begun, tooLate).catch((error: unknown) => seen.push(`${name} ${(error as Error).message}`));
}

/** What has happened since the last call; sorted, because the order within one moment does not matter. */
async function happened(): Promise<string[]> {
  await jest.advanceTimersByTimeAsync(0);
  return seen.splice(0).sort();
}

function end(name: string): Promise<string[]> {
  goOn.get(name)?.();
  return happened();
}

describe('slots', () => {
  it('are taken while any are free; each released one goes to the oldest request in the queue', async () => {
    limiter = new ConcurrencyLimiter(2);
    ['one', 'two', 'three', 'four', 'five'].forEach((name) => ask(name));
    await expect(happened()).resolves.toEqual(['one begins', 'two begins']);
    await expect(end('one')).resolves.toEqual(['three begins']);
    await expect(end('three')).resolves.toEqual(['four begins']);
    await expect(end('two')).resolves.toEqual(['five begins']);
  });

  it('are released by requests that fail', async () => {
    ask('one', { work: () => until('one').then(() => Promise.reject(new Error('fails'))) });
    ask('two');
    await expect(happened()).resolves.toEqual(['one begins']);
    await expect(end('one')).resolves.toEqual(['one fails', 'two begins']);
  });

  it('are not given to requests with too little time left, which are refused when a slot is released', async () => {
    ask('one');
    ask('an old one', { deadline: NOW + 2_000 });
    ask('a hurried one', { deadline: NOW + 1_500 });
    ask('another');
    jest.setSystemTime(NOW + 1_001);
    await expect(happened()).resolves.toEqual(['one begins']);
    await expect(end('one')).resolves.toEqual([
      'a hurried one is too late',
      'an old one is too late',
      'another begins',
    ]);
  });

  it('are refused at once to a request that would get one too late, as long as the queue moves no faster', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `request ${index}`);
    names.forEach((name) => ask(name));
    // From now on the queue moves by one request each 100 ms; nineteen are still in it.
    for (const name of names.slice(0, 20)) {
      await happened();
      jest.setSystemTime(Date.now() + 100);
      await end(name);
    }
    const asked = Date.now();
    ask('one with two seconds', { deadline: asked + 2_000 });
    ask('one with ten seconds', { deadline: asked + 10_000 });
    await expect(happened()).resolves.toEqual(['one with two seconds is too late']);
  });

  it('released while the queue is empty are free for the next requests, once each', async () => {
    ask('one');
    await expect(end('one')).resolves.toEqual(['one begins']);
    await expect(end('one')).resolves.toEqual([]);
    ['two', 'three'].forEach((name) => ask(name));
    await expect(happened()).resolves.toEqual(['two begins']);
  });

  it('are unlimited when Infinity is given', async () => {
    limiter = new ConcurrencyLimiter(Infinity);
    for (let asked = 0; asked < 100; asked += 1) ask('one');
    await expect(happened()).resolves.toHaveLength(100);
  });
});

describe('a slot', () => {
  const waiting = (name: string, for_: string[]) => async () => {
    await Promise.all(for_.map((one) => releasingSlot(() => until(one))));
    seen.push(`${name} goes on`);
    await until(name);
  };

  it('is released until all calls of its request end; then the request goes on at once, before others begin', async () => {
    ask('one', { work: waiting('one', ['an answer', 'another answer']) });
    ask('two');
    ask('three');
    await expect(happened()).resolves.toEqual(['one begins', 'two begins']);
    await expect(end('an answer')).resolves.toEqual([]);
    await expect(end('another answer')).resolves.toEqual(['one goes on']);
    await expect(end('two')).resolves.toEqual([]);
    await expect(end('one')).resolves.toEqual(['three begins']);
  });

  it('is not released again by calls that go on after the end of their request', async () => {
    const work = async () => void (releasingSlot(() => until('one')), releasingSlot(() => until('the rest')));
    ask('one', { work });
    await expect(happened()).resolves.toEqual(['one begins']);
    ask('two');
    ask('three');
    await expect(happened()).resolves.toEqual(['two begins']);
    await expect(end('one')).resolves.toEqual([]);
    await expect(end('the rest')).resolves.toEqual([]);
    await expect(end('two')).resolves.toEqual(['three begins']);
  });

  it('is not released by calls that begin after the end of their request', async () => {
    ask('one', { work: async () => void until('one').then(() => releasingSlot(() => until('the rest'))) });
    ask('two');
    ask('three');
    await expect(happened()).resolves.toEqual(['one begins', 'two begins']);
    await expect(end('one')).resolves.toEqual([]);
    await expect(end('two')).resolves.toEqual(['three begins']);
  });

  it('is not needed for a call outside of a limited request', async () => {
    await expect(releasingSlot(() => Promise.resolve('waited'))).resolves.toBe('waited');
  });
});
