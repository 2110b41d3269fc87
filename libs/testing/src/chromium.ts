// Finds a Chromium for tests in a browser: CHROMIUM → PATH → the distribution's package, which root installs as apt-get does
// (a Debian image of CI, in about a minute) → an error that says what to do.

import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { isExecutable } from '@stablecoin/local-stack/executable';
import { userId } from '@stablecoin/local-stack/paths';

const run = promisify(execFile);
const APT_TIMEOUT_MS = 300_000;
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MORE_FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/Applications/Google Chrome.app/Contents/MacOS'];

export async function obtainChromium(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const found = installedChromium(env);
  if (found !== undefined) return found;
  const reason = await installPackage().then(() => undefined, reasonOf);
  const installed = installedChromium(env);
  if (installed !== undefined) return installed;
  throw new OperatorError(
    `No Chromium was found${reason === undefined ? '' : ` or could be installed (${reason})`}: install it with ` +
      "apt-get install chromium (or your distribution's package), or name one with CHROMIUM=/path/to/chromium.",
  );
}

/** A browser that is already here, or undefined. One that CHROMIUM names must be there. */
export function installedChromium(env: NodeJS.ProcessEnv): string | undefined {
  const named = env['CHROMIUM'];
  if (named) {
    if (isExecutable(named)) return named;
    throw new OperatorError(`CHROMIUM names ${named}, which is no program: correct it, or leave it out.`);
  }
  const folders = [...(env['PATH'] ?? '').split(delimiter).filter(Boolean), ...MORE_FOLDERS];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

/** A browser needs some eighty libraries, which only the package manager brings along: so root is needed. */
async function installPackage(): Promise<void> {
  if (userId() !== 0) throw new Error('only root can install it');
  const options = { timeout: APT_TIMEOUT_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const install = ['install', '--yes', '--no-install-recommends', 'chromium'];
  await run('apt-get', install, options).catch(async () => {
    await run('apt-get', ['update'], options);
    await run('apt-get', install, options);
  });
}

function reasonOf(error: unknown): string {
  const { stderr = '' } = error as { stderr?: string };
  return ((stderr.trim() || errorMessage(error)).split('\n').at(-1) ?? '').slice(0, 200);
}
