// package.json and package-lock.json of an image: the packages that its program uses, in exactly the versions, places and
// checksums of the project's own lock, and what those need in turn. `npm ci --omit=dev` installs from them. Nx's pruning
// begins at a project's sources, specs and their tools included; this begins at the program that was built.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../stack/paths.mjs';
import { Refusal } from '../stack/terminal.mjs';

const readJson = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

export function manifestOf(
  image,
  packages,
  { project = readJson('package.json'), lock = readJson('package-lock.json') } = {},
) {
  const dependencies = Object.fromEntries(packages.map((name) => [name, versionOf(name, image, project)]));
  const { version, license, engines } = project;
  const root = { name: image, version, license, dependencies, engines };
  const reached = reachedFrom(packages, lock.packages);
  const kept = Object.keys(lock.packages).filter((path) => reached.has(path));
  return {
    packageJson: { ...root, private: true },
    packageLock: {
      name: image,
      version,
      lockfileVersion: lock.lockfileVersion,
      requires: true,
      packages: { '': root, ...Object.fromEntries(kept.map((path) => [path, entryOf(lock.packages[path])])) },
    },
  };
}

function versionOf(name, image, { dependencies, devDependencies }) {
  if (dependencies[name] !== undefined) return dependencies[name];
  const reason =
    devDependencies[name] === undefined ? 'package.json does not name it' : 'it is a development dependency';
  throw new Refusal(`${image} imports ${name}, but ${reason}: add it to the dependencies.`);
}

/** The paths of all packages that these need, found as Node finds them: in the nearest node_modules upwards. */
function reachedFrom(names, packages) {
  const reached = new Set();
  const waiting = names.map((name) => locate('', name, packages));
  while (waiting.length > 0) {
    const path = waiting.pop();
    if (reached.has(path)) continue;
    reached.add(path);
    for (const [name, optional] of needsOf(packages[path])) {
      const found = locate(path, name, packages, optional);
      if (found !== undefined) waiting.push(found);
    }
  }
  return reached;
}

function needsOf({ dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const demandedPeers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [
    ...[...Object.keys(dependencies), ...demandedPeers].map((name) => [name, name in optionalDependencies]),
    ...Object.keys(optionalDependencies).map((name) => [name, true]),
  ];
}

function locate(from, name, packages, optional = false) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder}${folder && '/'}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') break;
  }
  if (optional) return undefined;
  throw new Refusal(`package-lock.json has no ${name}, which ${from || 'package.json'} needs: run npm install.`);
}

/** What only development and an optional package need is here what only the optional package needs. */
function entryOf({ dev, devOptional, ...entry }) {
  if (dev) throw new Refusal(`package-lock.json calls ${entry.resolved} a development dependency: run npm install.`);
  return devOptional ? { ...entry, optional: true } : entry;
}
