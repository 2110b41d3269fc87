import { Attempt, NO_ANSWER } from './measured-client';
import { RequestLog } from './request-log';

const asked = { method: 'GET', path: '/wallets', apiKey: 'key' } as const;
const attempt = (changes: Partial<Attempt>): Attempt => ({
  ...{ beganAt: Date.now(), ms: 20, status: 200, code: undefined, data: undefined, retryAfterMs: 0 },
  ...changes,
});
const givenUp = { ms: 8_001, status: undefined, code: NO_ANSWER };

describe('the log of requests', () => {
  it('tells those that were answered too late from those that were never answered', () => {
    const requests = new RequestLog();
    requests.record(attempt({}), asked);
    requests.record(attempt({ ms: 20_000 }), asked);
    requests.record(attempt({ status: undefined, code: 'ECONNRESET' }), asked);
    requests.record(attempt(givenUp), asked);
    expect(requests).toMatchObject({ total: 4, answered: 2, broken: 2, late: 2 });
    expect(requests.unanswered).toEqual([expect.stringMatching(/^GET \/wallets at .*: 8001 ms, no answer no answer$/)]);
  });

  it('excuses what was sent to a gateway that was stopped', () => {
    const requests = new RequestLog();
    const over = requests.excuse();
    requests.record(attempt(givenUp), asked);
    over();
    expect(requests).toMatchObject({ excused: 1, late: 0, unanswered: [] });
  });

  it('notes what no fault explains', () => {
    const requests = new RequestLog();
    requests.record(attempt({ status: 500, code: 'internal_error' }), asked);
    requests.record(attempt({ status: 503, code: 'unavailable' }), asked);
    expect([...requests.unexpected]).toEqual([['GET /wallets: 500 internal_error', 1]]);
  });
});
