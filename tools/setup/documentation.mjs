// The pages that the gateway serves at /docs, into dist/documentation, when one of their inputs changed: the guides, the
// site's own code, the interface document, or the packages that render it. Takes a quarter of a minute.

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './child.mjs';
import { filesUnder, hashOf, readOr, ROOT } from './files.mjs';
import { OperatorError, step } from './terminal.mjs';

const BUILD_TIMEOUT_MS = 240_000;
const STAMP = join(ROOT, 'dist', '.documentation.sha256');
const BUILT = join(ROOT, 'dist', 'documentation', 'content-security-policy.txt');
const PROGRAM = join(ROOT, 'dist', 'apps', 'documentation', 'src', 'build', 'build.main.js');
const INPUTS = ['docs/openapi.json', 'package-lock.json'];
const isInput = (file) => !file.endsWith('.spec.ts') && !file.endsWith('/project.json');

/** After the build: its program is compiled with the others. */
export async function ensureDocumentation({ force = false } = {}) {
  const hash = hashOf([...filesUnder('apps/documentation', isInput), ...INPUTS]);
  if (!force && readOr(STAMP) === hash && existsSync(BUILT)) return;
  await step('Documentation', async () => {
    rmSync(STAMP, { force: true });
    const { code, output } = await runProgram(process.execPath, [PROGRAM], { timeoutMs: BUILD_TIMEOUT_MS });
    if (code !== 0) throw new OperatorError(output.trim());
  });
  writeFileSync(STAMP, hash);
}
