// Writes the code cache of a bundled program: `node code-cache.main.js <program>`. The program is run without any setting, so
// that it ends once all of its modules are loaded; the cache then holds the functions which that took. A program whose
// modules can't be loaded gets no cache, and this ends with its failure.

import { writeFileSync } from 'node:fs';
import { cacheOf, compileProgram } from './start-bundle';

const file = process.argv[2] ?? '';
process.env = {};
const { script, run } = compileProgram(file);
let isLoaded = false;
process.once('exit', () => {
  if (!isLoaded) return;
  writeFileSync(cacheOf(file), script.createCachedData());
  process.exitCode = 0;
});
run();
isLoaded = true;
