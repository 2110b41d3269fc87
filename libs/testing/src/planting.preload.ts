/** Loaded by Node before a program: puts bugs into the files that it loads. */
import Module from 'node:module';
import { join, sep } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { type Edit, edited, PLANTED_EDITS_VARIABLE } from './planting';

/** How Node makes a module of a file's text; not among its types. */
interface Compiling {
  _compile: (this: Module, text: string, file: string) => unknown;
}

const BUNDLES = join(ROOT, 'dist', 'bundles', sep);
const edits = JSON.parse(process.env[PLANTED_EDITS_VARIABLE] ?? '[]') as Edit[];
const modules = Module.prototype as unknown as Compiling;
const compile = modules._compile;
modules._compile = function (text, file) {
  if (file.startsWith(BUNDLES))
    throw new Error(`No bug can be planted in the bundle ${file}: start the compiled program`);
  const ours = edits.filter((edit) => file === join(ROOT, 'dist', edit.file));
  return compile.call(this, ours.reduce(edited, text), file);
};
