/**
 * The traces of things that are stored without them: neither the permanent log nor the table of payouts names traces.
 * The instance that wrote a thing keeps its trace in memory, bounded. A thing whose trace was forgotten, or that
 * another instance or an earlier process wrote, has no parent: it begins a trace of its own or none.
 */
export class RememberedTraces<Key> {
  private readonly traceparents = new Map<Key, string>();

  /** @param most beyond it the oldest are forgotten */
  constructor(private readonly most = 10_000) {}

  /** @param traceparent undefined forgets the key, so that an earlier trace is not taken for its trace */
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
