// What goes into an image, as two folders that the Dockerfile copies: from the built program to its own files and its own
// dependencies. The same checkout gives the same bytes.

import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { filesUnder } from '@stablecoin/local-stack/files';
import type { ImageContents } from './contents';
import { programOf } from './imports';
import { manifestOf } from './manifest';

/** How much an image holds; `locked` counts its packages with all that they need. */
export interface ImageFigures {
  files: number;
  packages: number;
  locked: number;
}

/** Writes `<folder>/<image>/manifest/` and `<folder>/<image>/program/`. */
export function writeImageFolder(image: string, { entries, files: besides = [] }: ImageContents, folder: string) {
  const { files, packages } = programOf(entries);
  const { packageJson, packageLock } = manifestOf(image, packages);
  const target = join(folder, image);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, 'manifest'), { recursive: true });
  writeJson(join(target, 'manifest', 'package.json'), packageJson);
  writeJson(join(target, 'manifest', 'package-lock.json'), packageLock);
  const copied = [...files.flatMap(withSourceMap), ...besides.flatMap((path) => filesUnder(path))];
  for (const file of copied) copyInto(join(target, 'program'), file);
  const locked = Object.keys(packageLock.packages).length - 1;
  return { files: files.length, packages: packages.length, locked } satisfies ImageFigures;
}

function writeJson(path: string, content: object): void {
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}

function withSourceMap(file: string): string[] {
  const map = `${file}.map`;
  return existsSync(join(ROOT, map)) ? [file, map] : [file];
}

/** The build's folder is not part of an image's paths. */
function copyInto(folder: string, file: string): void {
  const target = join(folder, file.replace(/^dist\//, ''));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(ROOT, file), target);
}
