import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';

/** What tools/ knows of a build: it has to run before anything is built, and can't be imported from here. */
interface BuildTools {
  /** Other commands then find a build of the sources as they are now, and build nothing. */
  markBuilt(): void;
  /** Writes .swcrc with the path aliases of tsconfig.base.json; gives its path. */
  writeConfiguration(): string;
}

const load = createRequire(__filename);

export const buildTools = (): BuildTools => load(join(ROOT, 'tools/setup/compile.mjs')) as BuildTools;
