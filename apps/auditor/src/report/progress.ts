const FIRST_MS = 1_000;
const EVERY_MS = { terminal: 250, file: 2_000 } as const;

/** Writes progress, rate and time left to stderr. Where that is no terminal, it is silent in the first second. */
export class Progress {
  private readonly started = Date.now();
  private shown = 0;
  private done = 0;

  constructor(
    private readonly total: number,
    private readonly stream: NodeJS.WriteStream = process.stderr,
    private readonly things = 'events',
  ) {}

  readonly add = (count: number): void => {
    this.done += count;
    const now = Date.now();
    const terminal = this.stream.isTTY;
    if (!terminal && now - this.started < FIRST_MS) return;
    if (now - this.shown < (terminal ? EVERY_MS.terminal : EVERY_MS.file)) return;
    this.shown = now;
    const line = progressLine(this.done, this.total, now - this.started, this.things);
    this.stream.write(terminal ? `\r\u001b[2K${line}` : `${line}\n`);
  };

  /** What is worked at, once what is counted is done. */
  say(phase: string): void {
    const terminal = this.stream.isTTY;
    if (!terminal && Date.now() - this.started < FIRST_MS) return;
    this.shown = Date.now();
    this.stream.write(terminal ? `\r\u001b[2K${phase}` : `${phase}\n`);
  }

  /** Leaves no half line behind. */
  end(): void {
    if (this.shown > 0 && this.stream.isTTY) this.stream.write('\r\u001b[2K');
  }
}

export function progressLine(done: number, total: number, elapsedMs: number, things = 'events'): string {
  const rate = Math.round((done * 1000) / Math.max(elapsedMs, 1));
  const left = rate > 0 ? `${Math.ceil(Math.max(total - done, 0) / rate)} s left` : 'time left unknown';
  return `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${things}, ${rate.toLocaleString('en')}/s, ${left}`;
}
