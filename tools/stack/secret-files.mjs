// A secret of the environment, which may stand in a file instead: NAME, or the file that NAME_FILE names, as for the services.

import { readFileSync } from 'node:fs';
import { Refusal } from './terminal.mjs';

/** The value, or undefined when neither is set. */
export function secretFrom(env, name) {
  const variable = `${name}_FILE`;
  if (!env[variable]) return env[name] || undefined;
  if (env[name]) throw new Refusal(`${name} and ${variable} are both set: set one of them.`);
  try {
    return readFileSync(env[variable], 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch (error) {
    throw new Refusal(`${variable} names a file that can't be read (${error.code}): correct it.`);
  }
}
