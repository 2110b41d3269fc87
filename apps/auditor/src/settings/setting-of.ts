import { readFileSync } from 'node:fs';
import { AuditFailure } from '../report/report';

/** A variable, or what the file holds that `<NAME>_FILE` names, as orchestrators mount secrets. */
export function settingOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (env[name] || !file) return env[name];
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new AuditFailure(`${name}_FILE names a file that can't be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
