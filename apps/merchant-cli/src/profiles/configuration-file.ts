/**
 * The keys of this user, by profile, in one file that only the user may read: `$XDG_CONFIG_HOME/stablecoin/config.json`.
 *
 * It is written beside its place and then moved there, so that a command that is cut off leaves the old one. A file that others may
 * read is not used at all: its keys have to be taken as known, and the message says what to do.
 */

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../failures';

export interface Profile {
  api_key: string;
  base_url: string;
}

export interface Configuration {
  /** The profile of commands that name none. */
  current: string;
  profiles: Record<string, Profile>;
  /** What `listen` signs with, of this user, so that a program keeps it over many runs. */
  listen_secret?: string;
}

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OF_OTHERS = 0o077;
export const DEFAULT_PROFILE = 'default';

export const configurationFile = (env: NodeJS.ProcessEnv): string =>
  join(folderOf(env['XDG_CONFIG_HOME'], env, '.config'), 'stablecoin', 'config.json');

/** Of the XDG base directories; a relative one is to be ignored. */
export function folderOf(given: string | undefined, env: NodeJS.ProcessEnv, fallback: string): string {
  return given?.startsWith('/') === true ? given : join(env['HOME'] ?? homedir(), fallback);
}

/** Empty where there is none yet. @throws UsageError when it is not to be used */
export function readConfiguration(env: NodeJS.ProcessEnv): Configuration {
  const file = configurationFile(env);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return { current: DEFAULT_PROFILE, profiles: {} };
  if (process.platform !== 'win32') assertPrivate(file, mode);
  return parsed(file, readFileSync(file, 'utf8'));
}

export function writeConfiguration(env: NodeJS.ProcessEnv, configuration: Configuration): void {
  const file = configurationFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE });
  chmodSync(dirname(file), FOLDER_MODE);
  const written = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(written, `${JSON.stringify(configuration, null, 2)}\n`, { mode: FILE_MODE, flag: 'wx' });
    renameSync(written, file);
  } finally {
    rmSync(written, { force: true });
  }
}

function assertPrivate(file: string, mode: number): void {
  if ((mode & OF_OTHERS) === 0) return;
  throw new UsageError(
    `${file} holds API keys, and others on this machine may read or change it. Have its keys rotated if they might have, ` +
      `then: chmod 600 '${file}'`,
  );
}

function parsed(file: string, text: string): Configuration {
  try {
    const { current = DEFAULT_PROFILE, profiles = {}, listen_secret } = JSON.parse(text) as Partial<Configuration>;
    return { current, profiles, listen_secret };
  } catch {
    throw new UsageError(`${file} is no JSON: mend it, or delete it and log in again.`);
  }
}
