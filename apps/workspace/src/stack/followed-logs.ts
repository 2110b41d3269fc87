import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { STACK_SERVICES, type StackServiceName } from '@stablecoin/local-stack/environment';
import { timeOf } from './log-line';

/** Read from one file in one look; if a service logs more between two looks, the beginning is left out. */
const BYTES_MAX = 256 * 1024;
const NEWLINE = 0x0a;

export interface ServiceLine {
  service: StackServiceName;
  text: string;
}

interface Followed {
  /** Distinguishes a new log from the one before it. */
  inode: number;
  /** Where the first unread line begins. */
  position: number;
}

/** The present logs of a stack's services as they grow, also those that a restart begins. */
export class FollowedLogs {
  private readonly files = new Map<StackServiceName, Followed>();

  constructor(private readonly folder: string) {}

  /** The lines since the last look, in the order of time. */
  newLines(): ServiceLine[] {
    const lines = STACK_SERVICES.flatMap((service) => this.linesOf(service));
    return lines.sort((one, other) => one.time.localeCompare(other.time));
  }

  private linesOf(service: StackServiceName): (ServiceLine & { time: string })[] {
    const file = join(this.folder, `${service}.log`);
    if (!existsSync(file)) return [];
    const descriptor = openSync(file, 'r');
    try {
      const { ino: inode, size } = fstatSync(descriptor);
      const known = this.files.get(service);
      const from = known?.inode === inode && known.position <= size ? known.position : 0;
      const start = Math.max(from, size - BYTES_MAX);
      const bytes = Buffer.alloc(size - start);
      const count = readSync(descriptor, bytes, 0, bytes.length, start);
      const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE, count - 1) + 1);
      this.files.set(service, { inode, position: start + whole.length });
      return withTimes(
        service,
        whole
          .toString('utf8')
          .split('\n')
          .slice(start > from ? 1 : 0, -1),
      );
    } finally {
      closeSync(descriptor);
    }
  }
}

/** Text without a time (such as the output of a crash) gets the time of the line before it. */
function withTimes(service: StackServiceName, texts: readonly string[]): (ServiceLine & { time: string })[] {
  let time = '';
  return texts.map((text) => {
    time = timeOf(text) ?? time;
    return { service, text, time };
  });
}
