import { resolve } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import { parseFlags, runCommand, say } from '@stablecoin/command-line/terminal';
import { IMAGES } from './contents';
import { writeImageFolder } from './image-folder';

const HELP = `
node dist/libs/images/src/main.js [IMAGE …] [--out FOLDER]

Writes what each image holds, from what npm run build made: <FOLDER>/<IMAGE>/manifest/ with a package.json and a
package-lock.json of exactly what its program uses, and <FOLDER>/<IMAGE>/program/ with the files of that program.
Images: ${Object.keys(IMAGES).join(', ')}; without names all of them.

  --out FOLDER   default dist/images
  --help
`;

void runCommand((argv) => {
  const parsed = parseFlags(argv, { out: { type: 'string', default: 'dist/images' } }, HELP);
  if (parsed === undefined) return;
  const names = parsed.positionals.length > 0 ? parsed.positionals : Object.keys(IMAGES);
  const folder = resolve(ROOT, parsed.values.out);
  for (const [name, contents] of names.map(contentsOf)) {
    const { files, packages, locked } = writeImageFolder(name, contents, folder);
    say(`  ${name.padEnd(14)} ${files} files, ${packages} packages and what they need: ${locked}`);
  }
});

function contentsOf(name: string) {
  const contents = IMAGES[name];
  if (contents === undefined)
    throw new OperatorError(`There is no image "${name}": choose from ${Object.keys(IMAGES).join(', ')}.`);
  return [name, contents] as const;
}
