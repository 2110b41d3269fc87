/**
 * The requests that this user's commands made, as lines of JSON in `$XDG_STATE_HOME/stablecoin/requests.log`: enough to ask the
 * operator about one, and nothing that is secret or personal: no key, no body, no id in a path.
 *
 * When it has grown beyond its bound it becomes requests.log.1, whose predecessor goes: both together are at most twice the bound.
 */

import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AttemptLog } from 'stablecoin-sdk';
import { folderOf } from '../profiles/configuration-file';

export interface LoggedRequest {
  at: string;
  profile: string;
  base_url: string;
  method: string;
  path: string;
  status?: number;
  code?: string;
  attempt: number;
  duration_ms: number;
  request_id: string;
}

const BYTES_MAX = 1024 * 1024;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export const requestLogFile = (env: NodeJS.ProcessEnv): string =>
  join(folderOf(env['XDG_STATE_HOME'], env, '.local/state'), 'stablecoin', 'requests.log');

const before = (file: string): string => `${file}.1`;

/** Writes one attempt. What fails here is lost, as the SDK has it for its loggers: no call fails over a line of a log. */
export function requestLogger(
  env: NodeJS.ProcessEnv,
  { profile, baseUrl }: { profile: string; baseUrl: string },
): (attempt: AttemptLog) => void {
  return ({ method, path, status, code, attempt, durationMs, requestId }) => {
    const logged: LoggedRequest = {
      ...{ at: new Date().toISOString(), profile, base_url: baseUrl, method, path, status, code, attempt },
      ...{ duration_ms: Math.round(durationMs), request_id: requestId },
    };
    const file = requestLogFile(env);
    mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > BYTES_MAX) renameSync(file, before(file));
    appendFileSync(file, `${JSON.stringify(logged)}\n`, { mode: FILE_MODE });
  };
}

/** Oldest first. */
export function loggedRequests(env: NodeJS.ProcessEnv): LoggedRequest[] {
  const file = requestLogFile(env);
  return [before(file), file].flatMap((each) => requestsIn(textOf(each)));
}

/** What was logged since the last look. */
export class RequestLogTail {
  private inode: number;
  private offset: number;

  constructor(private readonly file: string) {
    const { ino, size } = this.now();
    this.inode = ino;
    this.offset = size;
  }

  /** Whole lines only; a file that was moved away meanwhile is read to its end. */
  next(): LoggedRequest[] {
    const { ino } = this.now();
    const missed = ino === this.inode ? '' : this.readOn(before(this.file));
    if (ino !== this.inode) [this.inode, this.offset] = [ino, 0];
    return requestsIn(missed + this.readOn(this.file));
  }

  private now(): { ino: number; size: number } {
    return statSync(this.file, { throwIfNoEntry: false }) ?? { ino: 0, size: 0 };
  }

  private readOn(file: string): string {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size <= this.offset) return '';
    const opened = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(size - this.offset);
      const text = bytes.subarray(0, readSync(opened, bytes, 0, bytes.length, this.offset)).toString('utf8');
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      this.offset += Buffer.byteLength(whole);
      return whole;
    } finally {
      closeSync(opened);
    }
  }
}

function textOf(file: string): string {
  return statSync(file, { throwIfNoEntry: false }) === undefined ? '' : readFileSync(file, 'utf8');
}

/** A line that a crash cut off is left out. */
function requestsIn(text: string): LoggedRequest[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as LoggedRequest];
    } catch {
      return [];
    }
  });
}
