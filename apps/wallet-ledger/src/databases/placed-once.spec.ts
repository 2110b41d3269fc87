import { placedOnce } from './placed-once';

const here = (shard: number) => ({ shard, here: true });
const gone = (shard: number) => ({ shard, here: false });

it('gives each shard as the database has it that it is in', () => {
  expect(
    placedOnce([
      [here(1), gone(2)],
      [here(0), here(2)],
    ]),
  ).toEqual([here(0), here(1), here(2)]);
});

it.each([
  ['in both, as one that arrived after the first was read', [[here(1), here(2)], [here(2)]]],
  ['in none, as one that left before the first and arrived after the second', [[here(1), gone(2)], [gone(2)]]],
])('refuses where a shard is found %s', (_, parts) => {
  expect(() => placedOnce(parts)).toThrow('unavailable');
});
