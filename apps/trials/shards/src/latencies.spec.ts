import type { Attempt } from '@stablecoin/testing/trial/traffic/measured-client';
import type { Merchant } from '@stablecoin/testing/trial/traffic/merchants';
import { Latencies } from './latencies';

const latencies = new Latencies();
latencies.ofMerchants([
  { id: 'one', apiKey: 'key of 1', shard: 1, owners: [] },
  { id: 'two', apiKey: 'key of 2', shard: 2, owners: [] },
] satisfies Merchant[]);

function answered(shard: number, beganAt: number, ms: number, more: { status?: number; method?: 'GET' | 'POST' } = {}) {
  const { status = 200, method = 'POST' } = more;
  const attempt: Attempt = { beganAt, ms, status, code: undefined, data: undefined, retryAfterMs: 0 };
  latencies.record(attempt, { method, path: '/', apiKey: `key of ${shard}` });
}

answered(1, 1_000, 10);
answered(1, 1_400, 700);
answered(1, 1_500, 5, { method: 'GET' });
answered(1, 1_600, 20, { status: 503 });
answered(2, 1_500, 30);
answered(2, 9_000, 4_000);
answered(3, 1_500, 5_000);

it('tells of some shards what was asked within a time', () => {
  expect(latencies.figures({ from: 1_000, to: 2_000 }, (shard) => shard === 2)).toEqual({
    ...{ requests: 1, p50_ms: 30, p99_ms: 30, slowest_ms: 30, unavailable: 0 },
  });
  expect(latencies.figures({ from: 1_000, to: 2_000 }, (shard) => shard !== 2)).toMatchObject({
    ...{ requests: 4, slowest_ms: 700, unavailable: 1 },
  });
});

it('tells how long no command of a shard succeeded: neither a read nor a refusal ends it', () => {
  // 1,010 to 2,100.
  expect(latencies.longestGapMs({ from: 1_000, to: 2_200 }, 1)).toBe(1_090);
  expect(latencies.longestGapMs({ from: 3_000, to: 3_500 }, 1)).toBe(500);
});
