// The environment of a command on this machine: the user's settings, and for the rest those that the stack in DATA_DIR
// has stored. A secret that the user gives as a file (<NAME>_FILE) counts as set.

import { OperatorError } from '@stablecoin/command-line/operator-error';
import { DATABASES, loginVariables, urlVariable } from '@stablecoin/migrations/databases';
import pg from 'pg';
import { readStack } from './description';

const CONNECT_TIMEOUT_MS = 3_000;

/** @throws OperatorError when no database is named in `env` and none of the local stack's answers */
export async function commandEnvironment(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const known = readStack(env)?.environment ?? {};
  const isGiven = (name: string) => given[name] !== undefined || given[`${name}_FILE`] !== undefined;
  // The command itself reports best what is wrong with a database of the user's own.
  const isOwn = DATABASES.flatMap(loginVariables).some(isGiven);
  if (!isOwn && !(await anyAnswers(DATABASES.map((name) => known[urlVariable(name)]))))
    throw new OperatorError(
      'The local stack is not running: start it with npm start, or name a database of your own in the environment (see --help).',
    );
  const filledIn = Object.entries(known).filter(([name]) => !isGiven(name));
  return { ...Object.fromEntries(filledIn), ...given };
}

async function anyAnswers(urls: readonly (string | undefined)[]): Promise<boolean> {
  return (await Promise.all(urls.map(answers))).some(Boolean);
}

async function answers(url: string | undefined): Promise<boolean> {
  if (url === undefined) return false;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
