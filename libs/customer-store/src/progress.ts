const EVERY_MS = 2_000;

/** Tells how far a long run is, and how fast: every two seconds, and at the end of each pass. */
export class Progress {
  private pass = 0;
  private total = 0;
  private done = 0;
  private begunAt = 0;
  private toldAt = 0;

  constructor(
    private readonly what: string,
    private readonly tell: (line: string) => void,
  ) {}

  begin(total: number): void {
    this.pass += 1;
    this.total = total;
    this.done = 0;
    this.begunAt = this.toldAt = performance.now();
  }

  add(rows: number): void {
    this.done += rows;
    if (performance.now() - this.toldAt >= EVERY_MS) this.say();
  }

  end(): void {
    this.say();
  }

  private say(): void {
    this.toldAt = performance.now();
    const rate = Math.round((this.done * 1_000) / Math.max(this.toldAt - this.begunAt, 1));
    const [done, total, perSecond] = [this.done, this.total, rate].map((number) => number.toLocaleString('en'));
    this.tell(`pass ${this.pass}: ${done} of ${total} ${this.what}, ${perSecond}/s`);
  }
}
