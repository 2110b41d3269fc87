import { formatTime, momentOf, utcText } from './times';

const MOMENT = '2026-01-31T23:30:05.120Z';

describe('a time on a page', () => {
  it('is in the zone of the person, or in UTC', () => {
    expect(formatTime(MOMENT, 'minute', 'local', 'Africa/Lagos')).toBe('1 Feb 2026, 00:30');
    expect(formatTime(MOMENT, 'minute', 'UTC', 'Africa/Lagos')).toBe('31 Jan 2026, 23:30');
    expect(formatTime(MOMENT, 'second', 'UTC')).toBe('31 Jan 2026, 23:30:05 UTC');
    expect(formatTime(MOMENT, 'day', 'local', 'Pacific/Auckland')).toBe('1 Feb 2026');
    expect(utcText(MOMENT)).toBe('2026-01-31 23:30:05 UTC');
  });

  it('is written in either zone', () => {
    expect(momentOf('2026-01-31T23:30', 'UTC')).toBe('2026-01-31T23:30:00.000Z');
    expect(momentOf('2026-01-31T23:30', 'local')).toBe(new Date(2026, 0, 31, 23, 30).toISOString());
    expect(['', 'soon', '275761-01-01T00:00'].map((text) => momentOf(text, 'UTC'))).toEqual(Array(3).fill(undefined));
  });

  it('that is none is shown as it came', () => {
    expect(formatTime('soon', 'minute', 'UTC')).toBe('soon');
    expect(utcText('soon')).toBe('soon');
  });
});
