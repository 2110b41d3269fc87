// The console of a stack that a person starts: its port, and the links that sign in to it.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { errorMessage } from '@stablecoin/command-line/error-code';
import { say } from '@stablecoin/command-line/terminal';
import type { StackDescription } from '@stablecoin/local-stack/description';
import { bundledMain } from '@stablecoin/local-stack/service-process';

const PORT_MAX = 65_535;
const LINKS_TIMEOUT_MS = 30_000;
const OPERATOR = bundledMain('operator');

/** A link that signs in once, from this machine. */
export interface SignInLink {
  role: string;
  link: string;
}

/** The port after the gateway's, unless BACKOFFICE_PORT says otherwise; a free one where the gateway takes a free one. */
export function withConsolePort(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (env['BACKOFFICE_PORT']) return env;
  const gateway = Number(env['PORT'] || '3000');
  const after = gateway > 0 && gateway < PORT_MAX ? gateway + 1 : 0;
  return { ...env, BACKOFFICE_PORT: String(after) };
}

/** As the sandbox merchant's admin, and as the operator. None where they can't be made: the stack serves all the same. */
export async function signInLinks(env: NodeJS.ProcessEnv, { data_dir }: StackDescription): Promise<SignInLink[]> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [OPERATOR, 'people', 'links', '--json'], {
      env: { ...env, DATA_DIR: data_dir },
      timeout: LINKS_TIMEOUT_MS,
    });
    return JSON.parse(stdout) as SignInLink[];
  } catch (error) {
    say(`  No links for the console (${errorMessage(error)}): npm run operator -- people links makes them.`);
    return [];
  }
}
