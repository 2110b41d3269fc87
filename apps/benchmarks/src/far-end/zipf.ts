/** A load over merchants by Zipf's law, on shards and in caches. */
import { createHash } from 'node:crypto';

/** Each merchant's part of the load, the largest first; together 1. */
export function zipfParts(merchants: number, exponent: number): Float64Array {
  const parts = Float64Array.from({ length: merchants }, (_, index) => (index + 1) ** -exponent);
  const total = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => part / total);
}

/** The part of each shard, merchants given to shards by a hash, as the customer service does. */
export function shardParts(merchantParts: Float64Array, shards: number): Float64Array {
  const parts = new Float64Array(shards);
  merchantParts.forEach((part, merchant) => {
    const shard = createHash('sha256').update(String(merchant)).digest().readUInt32BE(0) % shards;
    parts[shard] = (parts[shard] ?? 0) + part;
  });
  return parts;
}

/** Shards on databases in turns. */
export function databaseParts(ofShards: Float64Array, databases: number): Float64Array {
  const parts = new Float64Array(databases);
  ofShards.forEach((part, shard) => (parts[shard % databases] = (parts[shard % databases] ?? 0) + part));
  return parts;
}

export interface Holding {
  shards: Uint32Array;
  /** Of the load. */
  parts: Float64Array;
}

/**
 * What each instance holds by fair shares: of each database the same number, and what is left over goes to those that come first by
 * the hash of both names (`fair-share.ts` of the ledger, where no instance holds anything yet).
 */
export function heldByInstances(ofShards: Float64Array, databases: number, instances: number): Holding {
  const held: Holding = { shards: new Uint32Array(instances), parts: new Float64Array(instances) };
  for (let database = 0; database < databases; database += 1) {
    const order = Array.from({ length: instances }, (_, instance) => instance).sort((one, other) =>
      rankOf(database, one) < rankOf(database, other) ? -1 : 1,
    );
    let turn = 0;
    for (let shard = database; shard < ofShards.length; shard += databases) {
      const instance = order[turn % instances] ?? 0;
      turn += 1;
      held.shards[instance] = (held.shards[instance] ?? 0) + 1;
      held.parts[instance] = (held.parts[instance] ?? 0) + (ofShards[shard] ?? 0);
    }
  }
  return held;
}

const rankOf = (database: number, instance: number) =>
  createHash('sha256').update(`${database}/${instance}`).digest('hex');

export interface Cache {
  /** A value that is asked for after so long is loaded anew. */
  renewedAfterS: number;
  entries: number;
}

/**
 * Loads per second of the caches of all gateways, each of which gets an equal part of each merchant's requests. A merchant who asks
 * `rate` times a second is loaded at the first request after `renewedAfterS`: rate / (1 + rate × renewedAfterS) times a second.
 * Where more merchants come in that time than the cache has entries, the time is the one in which as many come (Che's approximation of
 * least recently used).
 */
export function cacheLoads(
  parts: Float64Array,
  { perSecond, gateways, renewedAfterS, entries }: Cache & { perSecond: number; gateways: number },
): number {
  const rates = parts.map((part) => (part * perSecond) / gateways);
  const seenWithin = (seconds: number) => rates.reduce((sum, rate) => sum + 1 - Math.exp(-rate * seconds), 0);
  const kept = seenWithin(renewedAfterS) > entries ? timeUntil(entries, seenWithin, renewedAfterS) : renewedAfterS;
  return gateways * rates.reduce((sum, rate) => sum + rate / (1 + rate * kept), 0);
}

const HALVINGS = 40;

function timeUntil(entries: number, seenWithin: (seconds: number) => number, atMost: number): number {
  let [low, high] = [0, atMost];
  for (let turn = 0; turn < HALVINGS; turn += 1) {
    const middle = (low + high) / 2;
    if (seenWithin(middle) > entries) high = middle;
    else low = middle;
  }
  return low;
}
