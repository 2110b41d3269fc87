import { addressesOf, standingOf } from './words';

const KEY = {
  ...{ id: '1', name: null, mode: 'test' as const, scopes: [], allowed_addresses: [], last_used_at: null },
  ...{ created_at: '2026-01-01T00:00:00.000Z', expires_at: null, revoked_at: null },
};
const NOW = Date.parse('2026-01-31T00:00:00.000Z');

it.each([
  [{}, 'valid'],
  [{ expires_at: '2026-02-01T00:00:00.000Z' }, 'ending'],
  [{ expires_at: '2026-01-31T00:00:00.000Z' }, 'expired'],
  [{ expires_at: '2026-02-01T00:00:00.000Z', revoked_at: '2026-01-30T00:00:00.000Z' }, 'revoked'],
] as const)('a key with %j is %s', (times, standing) => expect(standingOf({ ...KEY, ...times }, NOW)).toBe(standing));

it('reads addresses one a line or with commas, each once', () => {
  expect(addressesOf(' 203.0.113.7,\n198.51.100.0/24 203.0.113.7 ')).toEqual(['203.0.113.7', '198.51.100.0/24']);
  expect(addressesOf('')).toEqual([]);
});
