/** Counts the rows of a CSV as its bytes arrive. A line feed inside quotes is part of a field. */
const QUOTE = 0x22;
const LINE_FEED = 0x0a;

export class CsvRows {
  private quoted = false;
  private lines = 0;

  /** Without the line of headings. */
  get count(): number {
    return Math.max(0, this.lines - 1);
  }

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === QUOTE) this.quoted = !this.quoted;
      else if (byte === LINE_FEED && !this.quoted) this.lines += 1;
    }
  }
}
