/**
 * Long work in slices, of which each turn of the event loop has one, whatever number of requests are at it: each asks for its next
 * slice, and they take turns. With a slice for each of them a turn would be as long as all, and other requests, which need several turns
 * each, would wait that long again and again.
 */
export class SlicedWork {
  private readonly waiting: (() => void)[] = [];

  nextSlice(): Promise<void> {
    if (this.waiting.length === 0) setImmediate(() => this.runOne());
    return new Promise((go) => this.waiting.push(go));
  }

  private runOne(): void {
    this.waiting.shift()?.();
    if (this.waiting.length > 0) setImmediate(() => this.runOne());
  }
}
