// The log files of a stack's processes, which write them themselves: no output passes through the launcher.

import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, renameSync } from 'node:fs';
import { say } from '@stablecoin/command-line/terminal';

const FOLLOW_EVERY_MS = 500;
const FOLLOW_BYTES_MAX = 256 * 1024;
const WARNING_OR_WORSE = /"level":\s*(?:[456]0|"(?:warn|error|fatal)")/;

/** Every start begins its logs anew and keeps those of the start before: enough to look back, and bounded. */
export function rotateLog(file: string): void {
  if (existsSync(file)) renameSync(file, file.replace(/\.log$/, '.previous.log'));
}

/** The end of a log, on one line, for the message of a failure. */
export const lastLines = (file: string, count = 3) =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(-count).join(' | ') : '(nothing)';

/** How a line of a log is shown to a person; undefined for what is no line of a service's logger. */
export type TextOfLine = (line: string) => string | undefined;

export interface LogToFollow {
  /** In front of lines that are shown as they are. */
  title: string;
  file: string;
  /** All lines, not only warnings and errors. */
  verbose: boolean;
  textOf?: TextOfLine;
}

/** Shows a log file's new warnings and errors (all lines when verbose) as they come, at most FOLLOW_BYTES_MAX a look. */
export function followLog({ title, file, verbose, textOf = () => undefined }: LogToFollow): { stop(): void } {
  let position = 0;
  let rest = '';
  const look = () => {
    const { text, next, skipped } = readFrom(file, position);
    position = next;
    if (skipped > 0) say(`[${title}] … ${skipped} bytes of output not shown, they are in ${file}`);
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines)
      if (line && (verbose || WARNING_OR_WORSE.test(line))) say(textOf(line) ?? `[${title}] ${line}`);
  };
  const timer = setInterval(look, FOLLOW_EVERY_MS);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      look();
    },
  };
}

function readFrom(file: string, position: number): { text: string; next: number; skipped: number } {
  if (!existsSync(file)) return { text: '', next: position, skipped: 0 };
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const start = Math.max(position, size - FOLLOW_BYTES_MAX);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    const count = readSync(descriptor, bytes, 0, bytes.length, start);
    return { text: bytes.toString('utf8', 0, count), next: start + count, skipped: start - position };
  } finally {
    closeSync(descriptor);
  }
}
