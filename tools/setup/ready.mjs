// What every command needs before it can do its work: the dependencies, the generated Prisma clients, the build, the pages of
// the documentation, the console. Each of the five is skipped when nothing it depends on changed.

import { compile, ensureBuild, isForBrowsers } from './compile.mjs';
import { ensureConsole } from './console.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { ensureDocumentation } from './documentation.mjs';
import { alone } from './lock.mjs';
import { ensureGenerated, isPrismaInstalled } from './prisma-clients.mjs';

export function ensureReady({ build = true, force = false } = {}) {
  return alone(async () => {
    await ensureDependencies();
    await ensureGenerated();
    if (!build) return;
    await ensureBuild({ force });
    await ensureDocumentation({ force });
    await ensureConsole({ force });
  });
}

/** For npm, which has installed right now: an installation without the development tools builds nothing. */
export async function buildInstalled() {
  if (!isPrismaInstalled()) return;
  await ensureGenerated();
  await ensureBuild();
  await ensureDocumentation();
  await ensureConsole();
}

/** For Nx, which knows by itself when a project has to be compiled. */
export async function compileProjects(folders) {
  await ensureReady({ build: false });
  const compiled = folders.filter((folder) => !isForBrowsers(folder));
  if (compiled.length > 0) await compile(compiled);
  if (compiled.length < folders.length) await ensureConsole({ force: true });
}
