import { dayText, daysBefore, daysBetween, todayInUtc } from './days';
import { durationText } from './durations';

it.each([
  [10, '10 ms'],
  [999, '1 s'],
  [2_512, '2.5 s'],
  [19_953, '20 s'],
  [60_000, '1 min'],
  [5_400_000, '1.5 h'],
  [86_400_000 * 3, '3 d'],
])('%i milliseconds are %s', (milliseconds, text) => expect(durationText(milliseconds)).toBe(text));

it('days are those of UTC', () => {
  expect(todayInUtc(Date.parse('2026-06-01T23:59:59.999Z'))).toBe('2026-06-01');
  expect(daysBefore('2026-03-01', 1)).toBe('2026-02-28');
  expect(daysBetween('2026-02-27', '2026-03-02')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  expect(daysBetween('2024-01-01', '2024-12-31')).toHaveLength(366);
  expect(daysBetween('2026-03-02', '2026-03-01')).toEqual([]);
  expect(dayText('2026-06-01')).toBe('1 June 2026');
  expect(dayText('soon')).toBe('soon');
});
