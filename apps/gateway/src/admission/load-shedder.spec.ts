import type { IncomingMessage } from 'node:http';
import { Readiness } from '@stablecoin/service-host/operations/readiness';
import { LoadShedder } from './load-shedder';
import { RequestLog } from '../http/request-log';
import { InFlightLimiter } from './in-flight-limiter';

const FULL = 'POST /api/swaps';
const underWay = { hasRoomFor: (route: string) => route !== FULL } as InFlightLimiter;
const door = new LoadShedder(underWay, new Readiness(), new RequestLog('none'));

describe('the door of a gateway', () => {
  it.each([
    ['open while there is room', 'GET', '/api/swaps', 255, false],
    ['closed to a route for which there is none, whatever it is asked', 'POST', '/api/swaps?x=1', 0, true],
    ['closed to all while a fraction of a second of work waits', 'GET', '/api/swaps', 256, true],
    ['open to health, whatever waits', 'GET', '/health/ready', 10_000, false],
  ])('is %s', (_how, method, url, waiting, closed) => {
    expect(door.mustShed({ method, url } as IncomingMessage, waiting)).toBe(closed);
  });
});
