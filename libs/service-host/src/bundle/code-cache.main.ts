// Writes the code cache of a bundled program: `node code-cache.main.js <program> [<prelude>]`. The program is run without any setting, so that it
// ends once all of its modules are loaded; the cache then holds the functions which that took.

import { writeFileSync } from 'node:fs';
import { cacheOf, compileProgram } from './start-bundle';

const file = process.argv[2] ?? '';
process.env = {};
const { script, run } = compileProgram(file);
process.once('exit', () => {
  writeFileSync(cacheOf(file), script.createCachedData());
  process.exitCode = 0;
});
run();
