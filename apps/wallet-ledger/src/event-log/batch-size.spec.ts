import { BatchSize } from './batch-size';

const after = (work: (size: BatchSize) => void): number => {
  const size = new BatchSize(1_000);
  work(size);
  return size.current;
};

const shrunkAndGrownTwice = (size: BatchSize) => {
  size.shrink(160);
  size.grow();
  size.grow();
};

describe('the size of the next batch', () => {
  it.each<[string, (size: BatchSize) => void, number]>([
    ['is the maximum at first', () => undefined, 1_000],
    ['is half of one that failed', (size) => size.shrink(600), 300],
    ['never grows by a failure', (size) => [10, 600].forEach((tried) => size.shrink(tried)), 5],
    ['is one at least', (size) => size.shrink(1), 1],
    ['grows a little with each that was committed', shrunkAndGrownTwice, 102],
    ['is the maximum at most', (size) => size.grow(), 1_000],
  ])('%s', (_what, work, expected) => expect(after(work)).toBe(expected));
});
