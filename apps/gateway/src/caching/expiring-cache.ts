/** What a load gives: the value and for how long it may be used. */
export interface Loaded<Value> {
  value: Value;
  ttlMs: number;
}

interface Entry<Value> {
  value: Value;
  expiresAt: number;
}

/**
 * Values that may be a little old, at most `maxEntries` of them; the least recently used goes first. Callers that miss
 * the same key at the same moment share one load, each waiting for it in `join`. A load that fails is not remembered.
 */
export class ExpiringCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();
  private readonly loading = new Map<string, Promise<Value>>();

  constructor(
    private readonly maxEntries: number,
    private readonly now: () => number = Date.now,
    private readonly join: (loading: Promise<Value>) => Promise<Value> = (loading) => loading,
  ) {}

  async get(key: string, load: () => Promise<Loaded<Value>>): Promise<Value> {
    const entry = this.entries.get(key);
    if (entry && entry.expiresAt > this.now()) {
      this.entries.delete(key);
      this.entries.set(key, entry);
      return entry.value;
    }
    const loading = this.loading.get(key);
    return loading ? this.join(loading) : this.load(key, load);
  }

  forget(key: string): void {
    this.entries.delete(key);
    this.loading.delete(key);
  }

  private load(key: string, load: () => Promise<Loaded<Value>>): Promise<Value> {
    const loading = load()
      .then(({ value, ttlMs }) => {
        // After `forget` the value may be older than what the caller of `forget` knows: it is not kept.
        if (this.loading.get(key) === loading) this.keep(key, { value, expiresAt: this.now() + ttlMs });
        return value;
      })
      .finally(() => {
        if (this.loading.get(key) === loading) this.loading.delete(key);
      });
    this.loading.set(key, loading);
    return loading;
  }

  private keep(key: string, entry: Entry<Value>): void {
    this.entries.delete(key);
    this.entries.set(key, entry);
    if (this.entries.size <= this.maxEntries) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
