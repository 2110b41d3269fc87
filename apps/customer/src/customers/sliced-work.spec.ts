import { countedTurns } from '@stablecoin/testing/counted-turns';
import { SlicedWork } from './sliced-work';

it('slices of several requests take turns, one in each turn of the event loop', async () => {
  const turns = countedTurns();
  const work = new SlicedWork();
  const slices: [name: string, turn: number][] = [];
  const sliced = async (name: string, count: number) => {
    for (let slice = 0; slice < count; slice += 1) {
      await work.nextSlice();
      slices.push([name, turns.now]);
    }
  };
  await Promise.all([sliced('long', 3), sliced('longer', 4), sliced('short', 1)]);
  turns.stop();
  expect(slices.map(([name]) => name)).toEqual([
    'long',
    'longer',
    'short',
    'long',
    'longer',
    'long',
    'longer',
    'longer',
  ]);
  expect(new Set(slices.map(([, turn]) => turn)).size).toBe(slices.length);
});
