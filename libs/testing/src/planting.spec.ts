import { edited, planting, PLANTED_EDITS_VARIABLE } from './planting';

it('refuses a text that is not there, or not once', () => {
  const edit = { file: 'a.js', from: 'one', to: 'two' };
  expect(edited('of one kind', edit)).toBe('of two kind');
  expect(() => edited('of no kind', edit)).toThrow('a.js has no one');
  expect(() => edited('one by one', edit)).toThrow('a.js has several places with one');
});

it('leaves a program without bugs as it is', () => {
  expect(planting([])).toEqual({});
  const edit = { file: 'a.js', from: 'one', to: 'two' };
  expect(JSON.parse(planting([edit])[PLANTED_EDITS_VARIABLE] ?? '')).toEqual([edit]);
});
