import { readable, readableOfService } from './readable';

const LINE = {
  level: 'warn',
  time: '2026-11-22T12:34:56.789Z',
  service: 'payout',
  pid: 7,
  context: 'Rail',
  request_id: 'r-1',
  attempts: 3,
  message: 'the bank is away',
};
const json = (more = {}) => JSON.stringify({ ...LINE, ...more });

it('of one process: time, level, message and what else is known', () => {
  expect(readable(json())).toBe('12:34:56.789  WARN   Rail: the bank is away  request_id=r-1  attempts=3\n');
});

it('of several services: with the service, in seconds or milliseconds', () => {
  const rest = 'WARN  payout  Rail: the bank is away  request_id=r-1  attempts=3';
  expect(readableOfService(json())).toBe(`12:34:56 ${rest}`);
  expect(readableOfService(json(), { milliseconds: true })).toBe(`12:34:56.789 ${rest}`);
});

it('ends with the stack of an error, indented', () => {
  const error = { message: 'no', stack: 'Error: no\n    at here' };
  expect(readableOfService(json({ error }))).toMatch(/attempts=3\n {4}Error: no\n {8}at here$/);
});

it.each(['(node:1) Warning: …', '{"half', '{"no":"time"}', ''])('what is no such line is none: %s', (text) => {
  expect(readableOfService(text)).toBeUndefined();
});
