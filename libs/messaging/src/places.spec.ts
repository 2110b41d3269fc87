import { Places } from './places';

const NOW = 1_000_000;
const IN_TIME = NOW + 4_000;

/** What those who asked for a place have been told, in order. */
let told: string[];
let places: Places;

beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  told = [];
  places = new Places(1);
});

afterEach(() => jest.useRealTimers());

const ask = (name: string, deadline = IN_TIME) =>
  void places.take(deadline).then((begins) => told.push(`${name} ${begins ? 'begins' : 'is too late'}`));

async function tell(): Promise<string[]> {
  await jest.advanceTimersByTimeAsync(0);
  return told.splice(0);
}

describe('places', () => {
  it('are taken while there are any, and then by the last that came whenever one is left', async () => {
    places = new Places(2);
    ['one', 'two', 'three', 'four', 'five'].forEach((name) => ask(name));
    await expect(tell()).resolves.toEqual(['one begins', 'two begins']);
    for (const name of ['five', 'four', 'three']) {
      places.leave();
      await expect(tell()).resolves.toEqual([`${name} begins`]);
    }
  });

  it('are not taken by those with too little time left, who are told so when one is left', async () => {
    ask('one');
    ask('an old one', NOW + 2_000);
    ask('another');
    ask('a hurried one', NOW + 1_500);
    jest.setSystemTime(NOW + 1_001);
    await expect(tell()).resolves.toEqual(['one begins']);
    places.leave();
    await expect(tell()).resolves.toEqual(['an old one is too late', 'a hurried one is too late', 'another begins']);
  });

  it('are left for whoever comes when nobody waits, once each', async () => {
    ask('one');
    places.leave();
    ['two', 'three'].forEach((name) => ask(name));
    await expect(tell()).resolves.toEqual(['one begins', 'two begins']);
  });

  it('have no end unless somebody says so', async () => {
    places = new Places(Infinity);
    for (let asked = 0; asked < 100; asked += 1) ask('one');
    await expect(tell()).resolves.toHaveLength(100);
  });
});
