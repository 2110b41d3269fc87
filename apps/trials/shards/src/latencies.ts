/** How long the answers to each shard's merchants took, and when. */
import { percentile } from '@stablecoin/benchmarking/measure';
import type { Asked, Attempt } from '@stablecoin/testing/trial/traffic/measured-client';
import type { Merchant } from '@stablecoin/testing/trial/traffic/merchants';

const UNAVAILABLE = 503;

interface Measured {
  shard: number;
  /** Epoch milliseconds. */
  beganAt: number;
  ms: number;
  status: number | undefined;
  isCommand: boolean;
}

/** A time, in epoch milliseconds: what was asked in it counts. */
export interface Span {
  from: number;
  to: number;
}

export interface ShardFigures {
  requests: number;
  p50_ms: number;
  p99_ms: number;
  slowest_ms: number;
  unavailable: number;
}

export class Latencies {
  private readonly all: Measured[] = [];
  private shards: ReadonlyMap<string, number> = new Map();

  /** Requests before this are of no merchant's traffic. */
  ofMerchants(merchants: readonly Merchant[]): void {
    this.shards = new Map(merchants.map(({ apiKey, shard }) => [apiKey, shard]));
  }

  record({ beganAt, ms, status }: Attempt, { apiKey, method }: Asked): void {
    const shard = this.shards.get(apiKey);
    if (shard !== undefined) this.all.push({ shard, beganAt, ms, status, isCommand: method === 'POST' });
  }

  /** Of the shards that `isOf` names. */
  figures(span: Span, isOf: (shard: number) => boolean): ShardFigures {
    const found = this.all.filter(({ shard, beganAt }) => isOf(shard) && beganAt >= span.from && beganAt < span.to);
    const times = found.map(({ ms }) => ms);
    const rounded = (ms: number) => Math.round(ms * 10) / 10;
    return {
      requests: found.length,
      p50_ms: times.length > 0 ? rounded(percentile(times, 50)) : 0,
      p99_ms: times.length > 0 ? rounded(percentile(times, 99)) : 0,
      slowest_ms: rounded(Math.max(0, ...times)),
      unavailable: found.filter(({ status }) => status === UNAVAILABLE).length,
    };
  }

  /** The longest time within the span in which no command of the shard succeeded: none of those then under way, and none after. */
  longestGapMs({ from, to }: Span, shard: number): number {
    const ends = this.all
      .filter((one) => one.shard === shard && one.isCommand && one.status === 200)
      .map(({ beganAt, ms }) => beganAt + ms)
      .filter((endedAt) => endedAt >= from && endedAt < to)
      .sort((one, other) => one - other);
    const moments = [from, ...ends, to];
    return Math.round(Math.max(...moments.slice(1).map((moment, index) => moment - (moments[index] as number))));
  }
}
