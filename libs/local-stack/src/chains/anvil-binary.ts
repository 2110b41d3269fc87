// Finds anvil, the EVM chain of Foundry: the one that ANVIL names, one on PATH, or the program in Foundry's npm package
// for this platform, which npm ci brings on Linux. Else it says what to do.

import { delimiter, join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { isExecutable } from '../executable';
import { ROOT } from '../paths';

/** Foundry's names for Node's. */
const ARCHITECTURES: Partial<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Foundry's package for a platform. */
export const anvilPackage = (platform: string, architecture: string) =>
  `@foundry-rs/anvil-${platform}-${ARCHITECTURES[architecture] ?? architecture}`;

/** @throws OperatorError when there is none, with the ways to get one */
export function requireAnvil(env: NodeJS.ProcessEnv, root = ROOT): string {
  const found = findAnvil(env, root);
  if (found !== undefined) return found;
  throw new OperatorError(
    `Local chains need anvil, and there is none: npm install --no-save ${ownPackage()}@1.7.1 brings it, as does Foundry ` +
      '(https://getfoundry.sh); ANVIL=/path/to/anvil names one, and LOCAL_CHAINS=false does without chains.',
  );
}

/** @throws OperatorError where ANVIL names no program */
export function findAnvil(env: NodeJS.ProcessEnv, root = ROOT): string | undefined {
  const named = env['ANVIL'];
  if (named) {
    if (isExecutable(named)) return named;
    throw new OperatorError(`ANVIL names ${named}, which is no program: correct it, or leave ANVIL out.`);
  }
  const onPath = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const places = onPath.map((folder) => join(folder, 'anvil'));
  return [...places, join(root, 'node_modules', ownPackage(), 'bin', 'anvil')].find(isExecutable);
}

const ownPackage = () => anvilPackage(process.platform, process.arch);
