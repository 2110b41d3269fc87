import { execFileSync } from 'node:child_process';

const TIMEOUT_MS = 60_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** The output of git in a folder. Throws when git fails. */
export function git(root: string, ...args: string[]): string {
  return execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    maxBuffer: OUTPUT_BYTES_MAX,
  }).trim();
}

/** The output of git, or undefined when git fails. */
export function tryGit(root: string, ...args: string[]): string | undefined {
  try {
    return git(root, ...args);
  } catch {
    return undefined;
  }
}

export const lines = (text: string) => text.split('\n').filter(Boolean);
