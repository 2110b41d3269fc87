import { once, shared } from './requests';

describe('what callers share', () => {
  it('is made for the first, and again for the one after the last', async () => {
    let made = 0;
    const next = shared(3, () => Promise.resolve((made += 1)));
    expect(await Promise.all(Array.from({ length: 7 }, () => next()))).toEqual([1, 1, 1, 2, 2, 2, 3]);
  });

  it('is made only once where it is for all', async () => {
    let made = 0;
    const only = once(() => Promise.resolve((made += 1)));
    expect(await Promise.all(Array.from({ length: 100 }, () => only()))).toEqual(Array<number>(100).fill(1));
  });
});
