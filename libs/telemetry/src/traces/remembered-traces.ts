/**
 * Which trace something belongs to that is stored without it: the log is permanent and says nothing of traces, a table
 * of payouts neither. Kept in memory by whoever wrote it, and bounded: what is forgotten, was written by another
 * instance, or was written before a restart, has no parent then, and begins a trace of its own or none.
 */
export class RememberedTraces<Key> {
  private readonly traceparents = new Map<Key, string>();

  /** @param most the oldest go */
  constructor(private readonly most = 10_000) {}

  /** @param traceparent undefined forgets: nothing else may be taken for this key's */
  remember(key: Key, traceparent: string | undefined): void {
    this.traceparents.delete(key);
    if (traceparent === undefined) return;
    this.traceparents.set(key, traceparent);
    if (this.traceparents.size <= this.most) return;
    const [oldest] = this.traceparents.keys();
    this.traceparents.delete(oldest as Key);
  }

  of(key: Key): string | undefined {
    return this.traceparents.get(key);
  }

  forget(key: Key): void {
    this.traceparents.delete(key);
  }
}
