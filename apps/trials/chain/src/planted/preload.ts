/** Loaded by Node before a service: puts a bug into the files that it loads. */
import Module from 'node:module';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { type Edit, edited, PLANTED_BUG_VARIABLE, PLANTED_BUGS } from './planted-bugs';

/** How Node makes a module of a file's text; not among its types. */
interface Compiling {
  _compile: (this: Module, text: string, file: string) => unknown;
}

const bug = process.env[PLANTED_BUG_VARIABLE];
const edits = (PLANTED_BUGS as Record<string, readonly Edit[]>)[bug ?? ''];
if (!edits) throw new Error(`There is no bug "${bug ?? ''}" to plant`);

const modules = Module.prototype as unknown as Compiling;
const compile = modules._compile;
modules._compile = function (text, file) {
  const ours = edits.filter((edit) => file === join(ROOT, 'dist', edit.file));
  return compile.call(this, ours.reduce(edited, text), file);
};
