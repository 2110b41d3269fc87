import { releasingSlot, ConcurrencyLimiter } from './concurrency-limiter';

const NOW = 1_000_000;
const IN_TIME = NOW + 4_000;

/** What has become of those who asked for a place. */
let told: string[];
let limiter: ConcurrencyLimiter;
/** What ends the work, or what it waits for, of each. */
let goOn: Map<string, () => void>;

beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  told = [];
  goOn = new Map();
  limiter = new ConcurrencyLimiter(1);
});

afterEach(() => jest.useRealTimers());

const until = (name: string) => new Promise<void>((resolve) => goOn.set(name, resolve));

function ask(name: string, { deadline = IN_TIME, work = () => until(name) } = {}): void {
  const begun = () => (told.push(`${name} begins`), work());
  const tooLate = () => new Error('is too late');
  limiter.run(deadline, begun, tooLate).catch((error: unknown) => told.push(`${name} ${(error as Error).message}`));
}

/** In no order: what is told in one moment. */
async function tell(): Promise<string[]> {
  await jest.advanceTimersByTimeAsync(0);
  return told.splice(0).sort();
}

function end(name: string): Promise<string[]> {
  goOn.get(name)?.();
  return tell();
}

describe('places', () => {
  it('are taken while there are any, and then by the last that came whenever one is left', async () => {
    limiter = new ConcurrencyLimiter(2);
    ['one', 'two', 'three', 'four', 'five'].forEach((name) => ask(name));
    await expect(tell()).resolves.toEqual(['one begins', 'two begins']);
    await expect(end('one')).resolves.toEqual(['five begins']);
    await expect(end('five')).resolves.toEqual(['four begins']);
    await expect(end('two')).resolves.toEqual(['three begins']);
  });

  it('are left by what fails', async () => {
    ask('one', { work: () => until('one').then(() => Promise.reject(new Error('fails'))) });
    ask('two');
    await expect(tell()).resolves.toEqual(['one begins']);
    await expect(end('one')).resolves.toEqual(['one fails', 'two begins']);
  });

  it('are not taken by those with too little time left, who are told so when one is left', async () => {
    ask('one');
    ask('an old one', { deadline: NOW + 2_000 });
    ask('another');
    ask('a hurried one', { deadline: NOW + 1_500 });
    jest.setSystemTime(NOW + 1_001);
    await expect(tell()).resolves.toEqual(['one begins']);
    await expect(end('one')).resolves.toEqual([
      'a hurried one is too late',
      'an old one is too late',
      'another begins',
    ]);
  });

  it('are left for whoever comes when nobody waits, once each', async () => {
    ask('one');
    await expect(end('one')).resolves.toEqual(['one begins']);
    await expect(end('one')).resolves.toEqual([]);
    ['two', 'three'].forEach((name) => ask(name));
    await expect(tell()).resolves.toEqual(['two begins']);
  });

  it('have no end unless somebody says so', async () => {
    limiter = new ConcurrencyLimiter(Infinity);
    for (let asked = 0; asked < 100; asked += 1) ask('one');
    await expect(tell()).resolves.toHaveLength(100);
  });
});

describe('a place', () => {
  const waiting = (name: string, for_: string[]) => async () => {
    await Promise.all(for_.map((one) => releasingSlot(() => until(one))));
    told.push(`${name} goes on`);
    await until(name);
  };

  it('is left while what has it waits for others, all of them, who goes on at once, and before more begins', async () => {
    ask('one', { work: waiting('one', ['an answer', 'another answer']) });
    ask('two');
    ask('three');
    await expect(tell()).resolves.toEqual(['one begins', 'three begins']);
    await expect(end('an answer')).resolves.toEqual([]);
    await expect(end('another answer')).resolves.toEqual(['one goes on']);
    await expect(end('three')).resolves.toEqual([]);
    await expect(end('one')).resolves.toEqual(['two begins']);
  });

  it('is not left again by what waits on after its end', async () => {
    const work = async () => void (releasingSlot(() => until('one')), releasingSlot(() => until('the rest')));
    ask('one', { work });
    await expect(tell()).resolves.toEqual(['one begins']);
    ask('two');
    ask('three');
    await expect(tell()).resolves.toEqual(['two begins']);
    await expect(end('one')).resolves.toEqual([]);
    await expect(end('the rest')).resolves.toEqual([]);
    await expect(end('two')).resolves.toEqual(['three begins']);
  });

  it('is not left by what begins to wait after its end', async () => {
    ask('one', { work: async () => void until('one').then(() => releasingSlot(() => until('the rest'))) });
    ask('two');
    ask('three');
    await expect(tell()).resolves.toEqual(['one begins', 'three begins']);
    await expect(end('one')).resolves.toEqual([]);
    await expect(end('three')).resolves.toEqual(['two begins']);
  });

  it('is nobody’s where none is asked for', async () => {
    await expect(releasingSlot(() => Promise.resolve('waited'))).resolves.toBe('waited');
  });
});
