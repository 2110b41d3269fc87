import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of the checkout; in an image the folder of its program. Both are the nearest folder upwards with a
 * package.json: from a source under libs/, from its compiled form under dist/libs/, and from an image's libs/ alike.
 */
export const ROOT = nearestPackage(__dirname);

function nearestPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`There is no package.json in ${__dirname} or above it.`);
  return nearestPackage(parent);
}
