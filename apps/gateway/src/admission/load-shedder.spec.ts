import { Readiness } from '@stablecoin/service-host/operations/readiness';
import { LoadShedder } from './load-shedder';
import { RequestLog } from '../http/request-log';

const FULL = 'POST /api/swaps';
/** Of this one the places are taken by those that are queued. */
const NARROW = 'GET /api/customers';
const limiter = { hasSlotFor: (route: string, queued = 0) => route !== FULL && (route !== NARROW || queued < 10) };
const shedder = new LoadShedder(limiter, new Readiness(), new RequestLog('none'));

describe('LoadShedder', () => {
  it.each([
    ['takes a request while there is a slot', 'GET', '/api/swaps', 511, false],
    ['sheds a route without one, whatever its query', 'POST', '/api/swaps?x=1', 0, true],
    ['sheds all while a fraction of a second of work is queued', 'GET', '/api/swaps', 512, true],
    ['takes one whose place is free when those before it have begun', 'GET', '/api/customers', 9, false],
    ['sheds one whose place will be taken by then', 'GET', '/api/customers', 10, true],
    ['never sheds health', 'GET', '/health/ready', 10_000, false],
  ])('%s', (_how, method, url, queued, isShed) => {
    expect(shedder.mustShed({ method, url }, queued)).toBe(isShed);
  });
});
