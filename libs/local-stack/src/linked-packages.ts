// The packages of this checkout's node_modules in another folder that needs the same ones, instead of installing them again.

import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';

const MODULES = join(ROOT, 'node_modules');
export const LOCK_FILE = 'package-lock.json';
/** npm's record of what is installed. */
const RECORD = '.package-lock.json';

type LockedPackages = Record<string, { version?: string; dev?: boolean; optional?: boolean; link?: boolean }>;

/** The packages of a folder's package-lock.json by their path; the folder itself is not among them. */
export function lockedPackages(folder: string): LockedPackages {
  const lock = JSON.parse(readFileSync(join(folder, LOCK_FILE), 'utf8')) as { packages: LockedPackages };
  const { '': _, ...packages } = lock.packages;
  return packages;
}

/** Whether our package-lock.json has every package of a folder's one in the same place and version. */
export function hasPackagesOf(folder: string, checkout = ROOT): boolean {
  const ours = lockedPackages(checkout);
  return Object.entries(lockedPackages(folder)).every(
    ([path, { version, optional, link }]) => link || (optional && !ours[path]) || ours[path]?.version === version,
  );
}

/**
 * One symbolic link for each package, so that what tools write beside packages (`.cache`, stamps) stays in the folder. For a
 * folder that is built in and not looked into: a package finds its own dependencies in our node_modules.
 */
export function linkPackages(folder: string, from = MODULES): void {
  const target = join(folder, 'node_modules');
  mkdirSync(target);
  const packages = readdirSync(from).filter((name) => name === '.bin' || !name.startsWith('.'));
  for (const name of packages) symlinkSync(join(from, name), join(target, name));
  if (existsSync(join(from, RECORD))) copyFileSync(join(from, RECORD), join(target, RECORD));
}

/**
 * Exactly the packages of the folder's package-lock.json, as files of its own: hard links where the file systems allow them.
 * A package that is not there in the wanted version is an error, unless it is optional.
 */
export function placePackages(folder: string): void {
  for (const [path, { version, optional = false }] of Object.entries(lockedPackages(folder))) {
    const source = join(ROOT, path);
    if (versionIn(source) === version) placeFolder(source, join(folder, path));
    else if (!optional)
      throw new OperatorError(`node_modules does not hold ${path} ${version ?? ''}: run npm ci in ${ROOT}.`);
  }
}

/** The version of a package by the folder that it is in; undefined when there is none. */
export function versionIn(folder: string): string | undefined {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version : undefined;
}

/** Without the packages below it, which have entries of their own. */
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
