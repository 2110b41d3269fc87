// What goes into each service's image, as folders: from the built program to its own files and its own dependencies.
// The Dockerfile copies the folders; the same checkout gives the same bytes.

import './stack/node-version.mjs';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { IMAGES } from './image/contents.mjs';
import { programOf } from './image/imports.mjs';
import { manifestOf } from './image/manifest.mjs';
import { ROOT } from './stack/paths.mjs';
import { filesUnder } from './stack/stamp.mjs';
import { parseFlags, Refusal, runCommand, say } from './stack/terminal.mjs';

const HELP = `
node tools/image.mjs [IMAGE …] [--out FOLDER]

Writes what each image holds, from what npm run build made: <FOLDER>/<IMAGE>/manifest/ with a package.json and a
package-lock.json of exactly what its program uses, and <FOLDER>/<IMAGE>/program/ with the files of that program.
Images: ${Object.keys(IMAGES).join(', ')}; without names all of them.

  --out FOLDER   default dist/images
  --help
`;

function write(image, folder) {
  const { entries, files: besides = [] } = IMAGES[image];
  const { files, packages } = programOf(entries);
  const { packageJson, packageLock } = manifestOf(image, packages);
  const target = join(folder, image);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, 'manifest'), { recursive: true });
  writeFileSync(join(target, 'manifest', 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`);
  writeFileSync(join(target, 'manifest', 'package-lock.json'), `${JSON.stringify(packageLock, null, 2)}\n`);
  const withMaps = files.flatMap((file) => [file, ...(existsSync(join(ROOT, `${file}.map`)) ? [`${file}.map`] : [])]);
  for (const file of [...withMaps, ...besides.flatMap((path) => filesUnder(path))]) copy(file, join(target, 'program'));
  const locked = Object.keys(packageLock.packages).length - 1;
  say(`  ${image.padEnd(14)} ${files.length} files, ${packages.length} packages and what they need: ${locked}`);
}

/** The build's folder is not part of an image's paths. */
function copy(file, folder) {
  const target = join(folder, file.replace(/^dist\//, ''));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(ROOT, file), target);
}

async function main(argv) {
  const parsed = await parseFlags(argv, { out: { type: 'string', default: 'dist/images' } }, HELP);
  if (parsed === undefined) return;
  const images = parsed.positionals.length > 0 ? parsed.positionals : Object.keys(IMAGES);
  const unknown = images.find((name) => IMAGES[name] === undefined);
  if (unknown !== undefined)
    throw new Refusal(`There is no image "${unknown}": choose from ${Object.keys(IMAGES).join(', ')}.`);
  for (const image of images) write(image, resolve(ROOT, parsed.values.out));
}

runCommand(main);
