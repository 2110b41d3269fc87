import { parseAsOf } from './as-of';

describe('--as-of', () => {
  it.each([
    ['0', { position: 0 }],
    ['2026', { position: 2026 }],
    ['2026-11-21T12:00Z', { time: '2026-11-21T12:00:00.000Z' }],
    ['2026-11-21T12:00:00.1239Z', { time: '2026-11-21T12:00:00.123Z' }],
    ['2026-11-21T00:30:00+01:00', { time: '2026-11-20T23:30:00.000Z' }],
  ])('%s', (text, expected) => expect(parseAsOf(text)).toEqual(expected));

  it.each([
    '',
    '-1',
    '01',
    '1.5',
    '2026-11-21',
    '2026-11-21T12:00:00',
    '2026-02-30T12:00:00Z',
    '2026-13-01T12:00:00Z',
    'yesterday',
  ])('refuses %p', (text) => expect(() => parseAsOf(text)).toThrow(/2026-11-21T12:00:00Z/));
});
