import { LRUCache } from 'lru-cache';

/** The result of a load: the value, and for how long it may be used; with 0 or less it is not kept. */
export interface Loaded<Value> {
  value: Value;
  ttlMs: number;
}

interface Options<Value> {
  entriesMax: number;
  /** Waits for a load that another caller began. Here a caller's own deadline and its place among the waiting calls count. */
  join?: (loading: Promise<Value>) => Promise<Value>;
  /** A value that is asked for is loaded anew for so long before its end, while callers still get it: then none waits for it. */
  refreshedMs?: number;
  clock?: { now(): number };
}

/**
 * Values that may be a little old, kept in an `LRUCache` of at most `entriesMax`. Callers that miss the same key at the
 * same moment share one load. A load that fails is not remembered.
 *
 * Loads under way are kept here and not by `LRUCache.fetch`: that gives each of them an entry of the cache, so that
 * requests with guessed keys would evict real ones. They are bounded by the requests in flight.
 */
export class ExpiringCache<Value extends string | object> {
  private readonly entries: LRUCache<string, Value>;
  private readonly loads = new Map<string, Promise<Value>>();
  private readonly join: (loading: Promise<Value>) => Promise<Value>;
  private readonly refreshedMs: number;

  constructor({ entriesMax, join = (loading) => loading, refreshedMs = 0, clock = performance }: Options<Value>) {
    this.entries = new LRUCache({ max: entriesMax, perf: clock, ttlResolution: 0 });
    this.join = join;
    this.refreshedMs = refreshedMs;
  }

  async get(key: string, load: () => Promise<Loaded<Value>>): Promise<Value> {
    const value = this.entries.get(key);
    const loading = this.loads.get(key);
    if (value !== undefined) {
      // What this one fails for, those that come after the end of the value hear.
      if (!loading && this.entries.getRemainingTTL(key) < this.refreshedMs) this.load(key, load).catch(() => undefined);
      return value;
    }
    return loading ? this.join(loading) : this.load(key, load);
  }

  /** Drops the value and the result of a load under way: both may be older than the change that the caller knows of. */
  forget(key: string): void {
    this.entries.delete(key);
    this.loads.delete(key);
  }

  private load(key: string, load: () => Promise<Loaded<Value>>): Promise<Value> {
    const isCurrent = (): boolean => this.loads.get(key) === loading;
    const loading = load()
      .then(({ value, ttlMs }) => {
        // LRUCache takes a ttl of 0 for "never expires".
        if (isCurrent() && ttlMs > 0) this.entries.set(key, value, { ttl: ttlMs });
        return value;
      })
      .finally(() => {
        if (isCurrent()) this.loads.delete(key);
      });
    this.loads.set(key, loading);
    return loading;
  }
}
