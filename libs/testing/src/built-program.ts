import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';

/** A file that `npm run build` has made, to be started as a process of its own. @param path below dist/ */
export const builtProgram = (path: string): string => join(ROOT, 'dist', path);
