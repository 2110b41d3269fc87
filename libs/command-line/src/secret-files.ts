// A secret of the environment, which may stand in a file instead: NAME, or the file that NAME_FILE names, as for the services.

import { readFileSync } from 'node:fs';
import { errorCode } from './error-code';
import { OperatorError } from './operator-error';

/** The value, or undefined when neither is set. */
export function secretFrom(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const variable = `${name}_FILE`;
  const file = env[variable];
  if (!file) return env[name] || undefined;
  if (env[name]) throw new OperatorError(`${name} and ${variable} are both set: set one of them.`);
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch (error) {
    throw new OperatorError(
      `${variable} names a file that can't be read (${errorCode(error) ?? 'unknown'}): correct it.`,
    );
  }
}
