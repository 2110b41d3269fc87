import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './paths';

/** Every file under `path` (relative to the checkout) that `wanted` accepts, sorted. */
export function filesUnder(
  path: string,
  wanted: (file: string) => boolean = () => true,
  skipFolders: readonly string[] = [],
): string[] {
  const absolute = join(ROOT, path);
  if (!existsSync(absolute)) return [];
  if (statSync(absolute).isFile()) return [path];
  return readdirSync(absolute, { withFileTypes: true })
    .filter((entry) => !skipFolders.includes(entry.name))
    .flatMap((entry) => {
      const child = relative(ROOT, join(absolute, entry.name));
      if (entry.isDirectory()) return filesUnder(child, wanted, skipFolders);
      return wanted(child) ? [child] : [];
    })
    .sort();
}
