// Checks an image folder: it may hold its own program and production dependencies, but no development dependency, other
// service, test, source or secret.

import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import type { ImageContents } from '@stablecoin/images/contents';
import { programOf } from '@stablecoin/images/imports';
import { lockedPackages, versionIn } from '@stablecoin/local-stack/linked-packages';
import type { Image } from './image-folders';

const SECRET_FILE = /(^|\/)(\.env($|\.)|secrets?(\/|$)|[^/]*\.(pem|key|p12)$)/;
const TEST = /\.(spec|test)\.[cm]?[jt]s|(^|\/)(testing|benchmarks|fixtures|test)\//;

interface FoundFile {
  path: string;
  size: number;
}

export interface ImageFigures {
  image: string;
  megabytes: number;
  own_kilobytes: number;
  files: number;
  packages: number;
}

/** Every file below a folder. */
export function filesIn(folder: string, from = folder): FoundFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path, from);
    return [{ path: relative(from, path), size: lstatSync(path).size }];
  });
}

/** An image's figures and the faults of its contents; `secrets` are values by name that no file may hold. */
export function inspectImage(
  { name, root, workdir }: Image,
  contents: ImageContents,
  secrets: Record<string, string>,
): { figures: ImageFigures; problems: string[] } {
  const app = join(root, workdir);
  const all = filesIn(app);
  const own = all.filter(({ path }) => !path.startsWith('node_modules/'));
  const installed = installedPackages(app);
  const sizeOf = (files: FoundFile[]) => files.reduce((sum, { size }) => sum + size, 0);
  const ownPaths = own.map(({ path }) => path);
  const figures = {
    image: name,
    megabytes: Math.round(sizeOf(all) / 2 ** 20),
    own_kilobytes: Math.round(sizeOf(own) / 2 ** 10),
    files: all.length,
    packages: installed.length,
  };
  const problems = [
    ...packageProblems(app, installed),
    ...fileProblems(contents, ownPaths, app),
    ...secretProblems(app, ownPaths, secrets),
  ];
  return { figures, problems: problems.map((problem) => `${name}: ${problem}`) };
}

interface InstalledPackage {
  /** As in package-lock.json: `node_modules/a/node_modules/b`. */
  path: string;
  version: string | undefined;
}

/** Read from the folders themselves. */
function installedPackages(app: string, within = ''): InstalledPackage[] {
  return namesIn(join(app, within, 'node_modules')).flatMap((name) => {
    const path = join(within, 'node_modules', name);
    return [{ path, version: versionIn(join(app, path)) }, ...installedPackages(app, path)];
  });
}

/** Of the packages in a node_modules folder, with their scopes. */
function namesIn(modules: string): string[] {
  const names = (folder: string) =>
    existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
  return names(modules).flatMap((name) =>
    name.startsWith('@') ? names(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  );
}

function packageProblems(app: string, installed: InstalledPackage[]): string[] {
  const wanted = lockedPackages(app);
  const project = lockedPackages(ROOT);
  const found = new Set(installed.map(({ path }) => path));
  return [
    ...installed.filter(({ path }) => project[path]?.dev).map(({ path }) => `holds the development dependency ${path}`),
    ...installed
      .filter(({ path, version }) => wanted[path]?.version !== version)
      .map(({ path }) => `holds ${path}, which its manifest doesn't name`),
    ...Object.entries(wanted)
      .filter(([path, { optional }]) => !optional && !found.has(path))
      .map(([path]) => `lacks ${path}, which its manifest names`),
  ];
}

function fileProblems({ entries, files: besides = [] }: ImageContents, files: string[], app: string): string[] {
  const inImage = (path: string) => path.replace(/^dist\//, '');
  const program = new Set(programOf(entries).files.map(inImage));
  const isExpected = (path: string) =>
    program.has(path.replace(/\.map$/, '')) ||
    besides.some((folder) => path.startsWith(`${inImage(folder)}/`)) ||
    ['package.json', 'package-lock.json'].includes(path);
  return [
    ...files.filter((path) => !isExpected(path)).map((path) => `holds ${path}, which its program doesn't load`),
    ...files.filter((path) => path.endsWith('.ts')).map((path) => `holds the source ${path}`),
    ...files.filter((path) => TEST.test(path)).map((path) => `holds the test ${path}`),
    ...files.filter((path) => SECRET_FILE.test(path)).map((path) => `holds ${path}, which looks like a secret`),
    ...[...program]
      .filter((path) => !existsSync(join(app, path)))
      .map((path) => `lacks ${path}, which its program loads`),
  ];
}

function secretProblems(app: string, files: string[], secrets: Record<string, string>): string[] {
  return files.flatMap((path) => {
    const text = readFileSync(join(app, path), 'latin1');
    return Object.entries(secrets).flatMap(([name, value]) =>
      text.includes(value) ? [`${path} holds the secret ${name}`] : [],
    );
  });
}
