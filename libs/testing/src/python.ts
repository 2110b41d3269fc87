import { execFileSync } from 'node:child_process';

/** Major and minor version. */
const OLDEST = [3, 11] as const;
const NAMES = ['python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3', 'python'];
const VERSION = 'import sys; print(*sys.version_info[:2])';

/**
 * Python 3.11 or newer: the program that PYTHON names, else the first on the PATH. The SDK's specs need nothing but its standard
 * library.
 *
 * @throws Error that says the way out
 */
export function python(named = process.env['PYTHON']): string {
  const found = (named ? [named] : NAMES).find(isNewEnough);
  if (found !== undefined) return found;
  const which = named ? `PYTHON names ${named}, which is not` : 'There is no';
  throw new Error(
    `${which} Python ${OLDEST.join('.')} or newer, which the specs of libs/sdk-python need: install it ` +
      '(apt-get install python3), or set PYTHON to its path.',
  );
}

function isNewEnough(program: string): boolean {
  try {
    const output = execFileSync(program, ['-c', VERSION], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [major = 0, minor = 0] = output.trim().split(' ').map(Number);
    return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  } catch {
    return false;
  }
}
