import { Readiness } from '@stablecoin/service-host/operations/readiness';
import { LoadShedder } from './load-shedder';
import { RequestLog } from '../http/request-log';

const FULL = 'POST /api/swaps';
const limiter = { hasSlotFor: (route: string) => route !== FULL };
const shedder = new LoadShedder(limiter, new Readiness(), new RequestLog('none'));

describe('LoadShedder', () => {
  it.each([
    ['takes a request while there is a slot', 'GET', '/api/swaps', 511, false],
    ['sheds a route without one, whatever its query', 'POST', '/api/swaps?x=1', 0, true],
    ['sheds all while a fraction of a second of work is queued', 'GET', '/api/swaps', 512, true],
    ['never sheds health', 'GET', '/health/ready', 10_000, false],
  ])('%s', (_how, method, url, queued, isShed) => {
    expect(shedder.mustShed({ method, url }, queued)).toBe(isShed);
  });
});
