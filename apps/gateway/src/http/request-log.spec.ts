import { Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestLog } from './request-log';

const answered = (caller?: object) =>
  ({ method: 'GET', routeOptions: { url: '/api/wallets' }, caller }) as FastifyRequest;
const reply = { statusCode: 401, elapsedTime: 1 } as FastifyReply;

describe('the lines of requests', () => {
  let lines: Record<string, unknown>[];
  let now: number;

  beforeEach(() => {
    [lines, now] = [[], 5_000];
    jest
      .spyOn(Logger.prototype, 'log')
      .mockImplementation((line: unknown) => void lines.push(line as (typeof lines)[0]));
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it('are some in a second for those without a merchant, shed or refused, and then say how many had none', () => {
    const log = new RequestLog('all');
    for (let sent = 0; sent < 80; sent += 1) log.write(answered(), reply);
    for (let sent = 0; sent < 80; sent += 1) log.writeShed('GET', 503, 'unavailable', 'id');
    expect(lines).toHaveLength(100);
    now += 1_000;
    log.write(answered(), reply);
    expect(lines.slice(100).map(({ msg, count }) => [msg, count])).toEqual([
      ['requests without a merchant had no line of their own', 60],
      ['request', undefined],
    ]);
  });

  it('are one for each of a merchant', () => {
    const log = new RequestLog('all');
    for (let sent = 0; sent < 150; sent += 1) log.write(answered({ merchant_id: 'm' }), reply);
    expect(lines).toHaveLength(150);
  });
});
