import type { Span } from '@stablecoin/testing/span-receiver';
import { linesOf, waterfallOf } from './waterfall';

const span = (name: string, of: Partial<Span>): Span => ({
  ...{ service: 'gateway', name, traceId: 't', spanId: name, parentSpanId: undefined },
  ...{ startMs: 0, endMs: 1, links: [], attributes: {} },
  ...of,
});
const SPANS = [
  span('POST /x', { traceId: 'slow', spanId: 'a', endMs: 90 }),
  span('POST /x', { traceId: 'fast', spanId: 'b', endMs: 1 }),
  span('POST /x', { traceId: 'middle', spanId: 'c', startMs: 100, endMs: 110 }),
  span('call', { traceId: 'middle', spanId: 'd', parentSpanId: 'c', startMs: 102, endMs: 109 }),
  span('COMMIT', {
    ...{ traceId: 'middle', spanId: 'f', parentSpanId: 'd' },
    ...{ service: 'ledger', startMs: 106, endMs: 108 },
  }),
  span('BEGIN', {
    ...{ traceId: 'middle', spanId: 'e', parentSpanId: 'd' },
    ...{ service: 'ledger', startMs: 103, endMs: 104 },
  }),
  span('GET /y', { traceId: 'other', spanId: 'g' }),
];

it('is that of the middle request, each step within what caused it and in the order of time', () => {
  expect(linesOf(waterfallOf(SPANS, 'POST /x'))).toEqual([
    '    0.0    10.0  gateway: POST /x',
    '    2.0     7.0    gateway: call',
    '    3.0     1.0      ledger: BEGIN',
    '    6.0     2.0      ledger: COMMIT',
  ]);
});

it('is empty where no such request was seen', () => expect(waterfallOf(SPANS, 'POST /z')).toEqual([]));
