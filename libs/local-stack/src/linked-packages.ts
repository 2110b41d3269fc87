// Gives another folder the packages of this checkout's node_modules, instead of installing the same ones again.

import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@stablecoin/command-line/error-code';
import { ROOT } from '@stablecoin/command-line/root';

const MODULES = join(ROOT, 'node_modules');
export const LOCK_FILE = 'package-lock.json';
/** npm's record of what is installed. */
const RECORD = '.package-lock.json';

interface LockedPackage {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
}
type LockedPackages = Record<string, LockedPackage>;

/** The packages of a folder's package-lock.json by their path; the folder itself is not among them. */
export function lockedPackages(folder: string): LockedPackages {
  const lock = JSON.parse(readFileSync(join(folder, LOCK_FILE), 'utf8')) as { packages: LockedPackages };
  const { '': _, ...packages } = lock.packages;
  return packages;
}

/**
 * Makes one symbolic link for each package, so that files which tools write beside packages (`.cache`, stamps) stay in
 * the folder. Good for builds only: a linked package finds its own dependencies in our node_modules.
 */
export function linkPackages(folder: string, from = MODULES): void {
  const target = join(folder, 'node_modules');
  mkdirSync(target);
  const packages = readdirSync(from).filter((name) => name === '.bin' || !name.startsWith('.'));
  for (const name of packages) symlinkSync(join(from, name), join(target, name));
  if (existsSync(join(from, RECORD))) copyFileSync(join(from, RECORD), join(target, RECORD));
}

/**
 * Places exactly the packages of the folder's package-lock.json in it, with npm's record of them: as hard links where
 * the file systems allow them, else as copies. If our node_modules lacks one in the wanted version, in any place, it
 * places nothing and returns the first missing one; an optional package may be missing.
 */
export function placePackages(folder: string): string | undefined {
  const sourceOf = packageSources();
  const wanted = Object.entries(lockedPackages(folder)).filter(([, { link }]) => !link);
  const found = wanted.map(([path, locked]) => ({ path, locked, source: sourceOf(path, locked) }));
  const missing = found.find(({ source, locked }) => source === undefined && !locked.optional);
  if (missing !== undefined) return `${nameOf(missing.path)} ${missing.locked.version ?? ''}`;
  const placed = found.filter(({ source }) => source !== undefined);
  for (const { path, source = '' } of placed) placeFolder(join(ROOT, source), join(folder, path));
  const packages = Object.fromEntries(placed.map(({ path, locked }) => [path, locked]));
  writeFileSync(join(folder, 'node_modules', RECORD), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
  return undefined;
}

/** Finds a package in our node_modules: in the same place, or in the same version in another. */
function packageSources() {
  const ours = lockedPackages(ROOT);
  const idOf = (path: string, version: string | undefined) => `${nameOf(path)}@${version ?? ''}`;
  const byId = new Map(Object.entries(ours).map(([path, { version }]) => [idOf(path, version), path]));
  return (path: string, { version }: LockedPackage): string | undefined => {
    const source = ours[path]?.version === version ? path : byId.get(idOf(path, version));
    return source !== undefined && versionIn(join(ROOT, source)) === version ? source : undefined;
  };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The version of the package in this folder, if there is one. */
export function versionIn(folder: string): string | undefined {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version : undefined;
}

/** Places a package without the packages below it, which have entries of their own. */
function placeFolder(source: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue;
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory()) placeFolder(from, to);
    else placeFile(from, to);
  }
}

function placeFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // Another file system, or one without hard links.
    if (!['EXDEV', 'EPERM', 'EMLINK'].includes(errorCode(error) ?? '')) throw error;
    copyFileSync(from, to);
  }
}
