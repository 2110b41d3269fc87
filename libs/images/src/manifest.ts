// package.json and package-lock.json of an image: the packages that its program uses, in exactly the versions, places and
// checksums of the project's own lock, and what those need in turn. `npm ci --omit=dev` installs from them. Nx's pruning
// begins at a project's sources, specs and their tools included; this begins at the program that was built.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';

type Versions = Record<string, string>;

/** What is read of the checkout's package.json. */
export interface Project {
  version?: string;
  license?: string;
  engines?: Versions;
  dependencies: Versions;
  devDependencies: Versions;
}

/** One package of package-lock.json; npm's further fields are copied as they are. */
export interface LockedPackage {
  version?: string;
  resolved?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  dependencies?: Versions;
  optionalDependencies?: Versions;
  peerDependencies?: Versions;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  [field: string]: unknown;
}

export interface Lock {
  lockfileVersion: number;
  packages: Record<string, LockedPackage>;
}

export interface Manifest {
  packageJson: { dependencies: Versions; [field: string]: unknown };
  packageLock: Lock & { [field: string]: unknown };
}

interface Checkout {
  project: Project;
  lock: Lock;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

function ownCheckout(): Checkout {
  return { project: readJson('package.json') as Project, lock: readJson('package-lock.json') as Lock };
}

export function manifestOf(image: string, packages: readonly string[], checkout = ownCheckout()): Manifest {
  const { project, lock } = checkout;
  const dependencies = Object.fromEntries(packages.map((name) => [name, versionOf(name, image, project)]));
  const { version, license, engines } = project;
  const root = { name: image, version, license, dependencies, engines };
  const reached = reachedFrom(packages, lock.packages);
  const kept = Object.entries(lock.packages).filter(([path]) => reached.has(path));
  return {
    packageJson: { ...root, private: true },
    packageLock: {
      name: image,
      ...(version !== undefined && { version }),
      lockfileVersion: lock.lockfileVersion,
      requires: true,
      packages: { '': root, ...Object.fromEntries(kept.map(([path, entry]) => [path, entryOf(entry)])) },
    },
  };
}

function versionOf(name: string, image: string, { dependencies, devDependencies }: Project): string {
  const version = dependencies[name];
  if (version !== undefined) return version;
  const reason =
    devDependencies[name] === undefined ? 'package.json does not name it' : 'it is a development dependency';
  throw new OperatorError(`${image} imports ${name}, but ${reason}: add it to the dependencies.`);
}

/** The paths of all packages that these need, found as Node finds them: in the nearest node_modules upwards. */
function reachedFrom(names: readonly string[], packages: Lock['packages']): Set<string> {
  const reached = new Set<string>();
  const waiting = names.map((name) => locate('', name, packages));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const { name, optional } of needsOf(packages[path] ?? {})) {
      const found = optional ? find(path, name, packages) : locate(path, name, packages);
      if (found !== undefined) waiting.push(found);
    }
  }
  return reached;
}

function needsOf(entry: LockedPackage): { name: string; optional: boolean }[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = entry;
  const demandedPeers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [
    ...[...Object.keys(dependencies), ...demandedPeers].map((name) => ({
      name,
      optional: name in optionalDependencies,
    })),
    ...Object.keys(optionalDependencies).map((name) => ({ name, optional: true })),
  ];
}

function find(from: string, name: string, packages: Lock['packages']): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder}${folder && '/'}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}

function locate(from: string, name: string, packages: Lock['packages']): string {
  const path = find(from, name, packages);
  if (path !== undefined) return path;
  throw new OperatorError(`package-lock.json has no ${name}, which ${from || 'package.json'} needs: run npm install.`);
}

/** What only development and an optional package need is here what only the optional package needs. */
function entryOf({ dev, devOptional, ...entry }: LockedPackage): LockedPackage {
  if (dev) {
    throw new OperatorError(
      `package-lock.json calls ${String(entry['resolved'])} a development dependency: run npm install.`,
    );
  }
  return devOptional ? { ...entry, optional: true } : entry;
}
