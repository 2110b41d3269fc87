import { ShownProgress } from './shown-progress';

/** The least time between two lines but the last. */
const EVERY_MS = 1_000;

export interface ProgressLine {
  phase: string;
  done: number;
  total: number;
}

/**
 * For programs: one JSON object a line. The first comes at once and the last when the command ends, both always; between them there
 * is at most one a second, which says how it stands then.
 */
export class ProgressLines implements ShownProgress {
  private line: ProgressLine = { phase: 'starting', done: 0, total: 0 };
  private writtenAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly write: (text: string) => unknown) {
    this.writeNow();
  }

  start(total: number): (count: number) => void {
    this.change({ total, done: 0 });
    return (count) => this.change({ done: this.line.done + count });
  }

  enter(phase: string): void {
    this.change({ phase });
  }

  end(): void {
    this.writeNow();
  }

  private change(by: Partial<ProgressLine>): void {
    this.line = { ...this.line, ...by };
    const waitMs = this.writtenAt + EVERY_MS - Date.now();
    if (waitMs <= 0) this.writeNow();
    // It holds up no end: the last line is written by `end`.
    else this.timer ??= setTimeout(() => this.writeNow(), waitMs).unref();
  }

  private writeNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writtenAt = Date.now();
    this.write(`${JSON.stringify(this.line)}\n`);
  }
}
