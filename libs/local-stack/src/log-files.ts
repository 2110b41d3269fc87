// The log files of a stack's processes. Each process writes its own: no output passes through the launcher.

import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, renameSync } from 'node:fs';
import { say } from '@stablecoin/command-line/terminal';

const FOLLOW_EVERY_MS = 500;
const FOLLOW_BYTES_MAX = 256 * 1024;
const WARNING_OR_WORSE = /"level":\s*(?:[456]0|"(?:warn|error|fatal)")/;

/** Every start begins a new log and keeps only the one of the start before, so that logs are bounded. */
export function rotateLog(file: string): void {
  if (existsSync(file)) renameSync(file, file.replace(/\.log$/, '.previous.log'));
}

/** The end of a log, on one line, for the message of a failure. */
export const lastLines = (file: string, count = 3) =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(-count).join(' | ') : '(nothing)';

/** Formats a line of a log for people; undefined for text that is no line of a service's logger. */
export type TextOfLine = (line: string) => string | undefined;

export interface LogToFollow {
  /** Printed in front of lines that are shown unchanged. */
  title: string;
  file: string;
  /** All lines, not only warnings and errors. */
  verbose: boolean;
  textOf?: TextOfLine;
}

/** Shows a log file's new warnings and errors (all lines when verbose), at most FOLLOW_BYTES_MAX in one look. */
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
