// What every command needs before it can do its work: the dependencies, the generated Prisma clients, the build. Each of
// the three is skipped when nothing it depends on changed. One at a time per checkout: two commands started side by side
// on a fresh clone would otherwise install into the same node_modules.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureDependencies } from '../dependencies.mjs';
import { ensureGenerated } from '../generate.mjs';
import { ensureBuild } from './compile.mjs';
import { lockHolder, takeLock } from './lock.mjs';
import { ROOT } from './paths.mjs';
import { Refusal, say } from './terminal.mjs';

const WAIT_MAX_MS = 900_000;
const WAIT_POLL_MS = 200;

/** Runs `work` alone in this checkout; waits, visibly and at most WAIT_MAX_MS, for another command to finish the same. */
async function alone(work) {
  const folder = join(ROOT, '.data');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'setup.lock');
  const deadline = Date.now() + WAIT_MAX_MS;
  let told = false;
  for (;;) {
    while (lockHolder(file) !== undefined && Date.now() < deadline) {
      if (!told) say('  Waiting for the set-up that another command is doing in this checkout');
      told = true;
      await sleep(WAIT_POLL_MS);
    }
    const release = await takeLock(file, ROOT).catch((error) => {
      if (Date.now() < deadline && error instanceof Refusal) return undefined; // Someone else was quicker: wait again.
      throw error;
    });
    if (release === undefined) continue;
    try {
      return await work();
    } finally {
      release();
    }
  }
}

export function ensureReady({ build = true, quiet = false, forceBuild = false } = {}) {
  return alone(async () => {
    await ensureDependencies({ quiet });
    await ensureGenerated({ quiet });
    if (build) await ensureBuild({ quiet, force: forceBuild });
  });
}
