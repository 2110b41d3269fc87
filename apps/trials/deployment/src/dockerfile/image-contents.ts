// What an image folder may hold: its own program and its production dependencies. No development dependency, no other
// service, no test, no source, no secret.

import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { IMAGES, type ImageName } from '@stablecoin/images/contents';
import { programOf } from '@stablecoin/images/imports';
import type { Image } from './image-folders';

const SECRET_FILE = /(^|\/)(\.env($|\.)|secrets?(\/|$)|[^/]*\.(pem|key|p12)$)/;
const TEST = /\.(spec|test)\.[cm]?[jt]s|(^|\/)(testing|benchmarks|fixtures|test)\//;

interface FoundFile {
  path: string;
  size: number;
}

type Packages = Partial<Record<string, { version: string; dev?: boolean }>>;

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

/** An image's figures, and what is wrong with its contents; `secrets` are values by name that no file may hold. */
export function inspectImage(
  name: ImageName,
  { root, workdir }: Image,
  secrets: Record<string, string>,
): { figures: ImageFigures; problems: string[] } {
  const app = join(root, workdir);
  const all = filesIn(app);
  const own = all.filter(({ path }) => !path.startsWith('node_modules/'));
  const installed = packagesOf(join(app, 'node_modules', '.package-lock.json'));
  const sizeOf = (files: FoundFile[]) => files.reduce((sum, { size }) => sum + size, 0);
  const ownPaths = own.map(({ path }) => path);
  const figures = {
    image: name,
    megabytes: Math.round(sizeOf(all) / 2 ** 20),
    own_kilobytes: Math.round(sizeOf(own) / 2 ** 10),
    files: all.length,
    packages: Object.keys(installed).length,
  };
  const problems = [
    ...packageProblems(app, installed),
    ...fileProblems(name, ownPaths, app),
    ...secretProblems(app, ownPaths, secrets),
  ];
  return { figures, problems: problems.map((problem) => `${name}: ${problem}`) };
}

const packagesOf = (lockFile: string) =>
  (JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Packages }).packages;

function packageProblems(app: string, installed: Packages): string[] {
  const wanted = packagesOf(join(app, 'package-lock.json'));
  const project = packagesOf(join(ROOT, 'package-lock.json'));
  const paths = Object.keys(installed);
  return [
    ...paths.filter((path) => project[path]?.dev).map((path) => `holds the development dependency ${path}`),
    ...paths
      .filter((path) => wanted[path]?.version !== installed[path]?.version)
      .map((path) => `holds ${path}, which its manifest doesn't name`),
  ];
}

function fileProblems(name: ImageName, files: string[], app: string): string[] {
  const { entries, files: besides = [] } = IMAGES[name];
  const program = new Set(programOf(entries).files.map((file) => file.replace(/^dist\//, '')));
  const isExpected = (path: string) =>
    program.has(path.replace(/\.map$/, '')) ||
    besides.some((folder) => path.startsWith(`${folder}/`)) ||
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
