import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';

/** Functions of tools/, which runs before anything is built and therefore can't be imported here. */
interface BuildTools {
  /** Marks the build as that of the present sources, so that other commands build nothing. */
  markBuilt(): void;
  /** Writes .swcrc with the path aliases of tsconfig.base.json; returns its path. */
  writeConfiguration(): string;
}

const load = createRequire(__filename);

export const buildTools = (): BuildTools => load(join(ROOT, 'tools/setup/compile.mjs')) as BuildTools;
