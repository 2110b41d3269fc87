import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { parsed } from './request-lines';

/** Of one look at one file; a service that logs more between two looks is shown with a gap. */
const BYTES_MAX = 256 * 1024;

interface Followed {
  /** Tells a log that was begun anew from the one before it. */
  inode: number;
  position: number;
  /** The beginning of a line whose end is not written yet. */
  rest: string;
}

/** The logs that the services of a stack write now, as they grow: also those that a restart begins anew. */
export class FollowedLogs {
  private readonly files = new Map<string, Followed>();
  private isFirstLook = true;

  constructor(
    private readonly folder: string,
    /** So many lines of before the first look, of all services together. */
    private readonly linesBefore: number,
  ) {}

  /** What was written since the last look, in the order of time. */
  newLines(): string[] {
    const names = readdirSync(this.folder).filter((name) => /\.log$/.test(name) && !/\.previous\.log$/.test(name));
    const lines = inOrderOfTime(names.flatMap((name) => this.linesOf(name)));
    if (!this.isFirstLook) return lines;
    this.isFirstLook = false;
    return lines.slice(-this.linesBefore);
  }

  /** Of services, whose lines say their time; what a database writes is not of interest here. */
  private linesOf(name: string): string[] {
    const descriptor = openSync(join(this.folder, name), 'r');
    try {
      const { ino: inode, size } = fstatSync(descriptor);
      const known = this.files.get(name);
      const former = known?.inode === inode ? known : { inode, position: 0, rest: '' };
      const start = Math.max(former.position, size - BYTES_MAX);
      const bytes = Buffer.alloc(Math.max(0, size - start));
      const count = readSync(descriptor, bytes, 0, bytes.length, start);
      const text = `${start > former.position ? '' : former.rest}${bytes.toString('utf8', 0, count)}`;
      const lines = text.split('\n');
      this.files.set(name, { inode, position: start + count, rest: lines.pop() ?? '' });
      return lines.filter((line) => parsed(line) !== undefined);
    } finally {
      closeSync(descriptor);
    }
  }
}

const timeOf = (line: string) => parsed(line)?.time ?? '';
const inOrderOfTime = (lines: readonly string[]) =>
  lines
    .map((line) => ({ line, time: timeOf(line) }))
    .sort((one, other) => one.time.localeCompare(other.time))
    .map(({ line }) => line);
