import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInPlace } from './child.mjs';
import { readOr, ROOT } from './files.mjs';
import { ensureReady } from './ready.mjs';
import { OperatorError } from './terminal.mjs';

/** The exit code is the program's: undefined here, unless the program was not begun. */
export async function runEntry(entry, args) {
  const file = join(ROOT, 'dist', `${entry}.js`);
  const asksForHelp = args.includes('--help') || args.includes('-h');
  if (asksForHelp && !existsSync(file)) {
    const help = helpIn(entry);
    if (help !== undefined) return void process.stdout.write(help);
  }
  if (!asksForHelp || !existsSync(file)) {
    const hasParent = process.connected === true;
    await ensureReady();
    if (hasParent && !process.connected) return 1; // Its parent ended in the meantime, and the program could not notice.
  }
  if (!existsSync(file)) throw new OperatorError(`There is no ${entry}.ts: name the path of a program's source.`);
  const bundle = bundleOf(entry);
  const program = existsSync(bundle) ? bundle : file;
  process.argv = [process.argv[0], program, ...args];
  // A bundle names the sources in its traces by itself.
  if (program === file) process.setSourceMapsEnabled(true);
  await import(pathToFileURL(program).href);
  return undefined;
}

/** Starts in half the time; of most programs there is none. */
const bundleOf = (entry) => join(ROOT, 'dist', 'bundles', entry.replace(/^apps\/(.+)\/src\/main$/, '$1'), 'main.js');

/** A program says its help in a constant HELP, which is printed before anything is installed or built. */
const helpIn = (entry) =>
  /^const HELP = `\n((?:[^`$\\]|\$(?!\{))*)`;$/m.exec(readOr(join(ROOT, `${entry}.ts`), ''))?.[1];

/** eslint, tsc, …: npm run lint works on a fresh clone too. */
export async function runTool(name, args) {
  await ensureReady({ build: false });
  const program = join(ROOT, 'node_modules', '.bin', name);
  if (!existsSync(program))
    throw new OperatorError(`There is no ${name} in node_modules/.bin: check the name, or run npm ci.`);
  return runInPlace(program, args);
}
