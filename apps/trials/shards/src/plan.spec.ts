import { planOf } from './plan';

it('tries two databases and three in full, and three in short, where times are only told', () => {
  expect(planOf({ seed: '7' })).toMatchObject({
    databases: [2, 3],
    moves: 10,
    strikes: 22,
    seed: 7,
    judgesTimes: true,
  });
  expect(planOf({ short: true })).toMatchObject({ databases: [3], moves: 2, strikes: 4, judgesTimes: false });
  expect(planOf({ databases: '2', moves: '1', strikes: '0', busy: true })).toMatchObject({
    ...{ databases: [2], moves: 1, strikes: 0, judgesTimes: false },
  });
});

it.each([{ databases: '1' }, { databases: 'b' }, { moves: 'many' }, { strikes: '-1' }, { seed: '99999999' }])(
  'refuses %j',
  (values) => {
    expect(() => planOf(values)).toThrow(/^--(databases|moves|strikes|seed) takes/);
  },
);
