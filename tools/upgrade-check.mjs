// npm run upgrade:check: an upgrade from an older version of this project to the one in this checkout, and back, service by
// service under load. The older version comes from git and is built here; Postgres and NATS are started for it alone, and
// removed with everything else whatever happens. The phases are in tools/upgrade/check.mjs.

import './stack/node-version.mjs';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HELP = `
npm run upgrade:check -- [--from COMMIT] [--keep] [--json]

Upgrades from an older version of this project to this one, and back, as docs/OPERATIONS.md says, while a merchant works:
no request may fail. Takes about two minutes, and needs the history (a clone that isn't shallow).

  --from   the older version; unless given, the newest commit whose schema is older
  --keep   leave the folder with the older version and the logs, and say where it is
  --json   one JSON line on stdout: {"from","applied":[…],"phases":[…],"payouts","findings":[…],"ok"}
  --help

Exit codes: 0 it went without a failed request, 1 it did not, 2 it could not be tried.
`;
const FLAGS = { from: { type: 'string' }, keep: { type: 'boolean' }, json: { type: 'boolean' } };
const NOT_TRIED = 2;

async function main(argv) {
  const { parseFlags, Refusal, say } = await import('./stack/terminal.mjs');
  try {
    const parsed = await parseFlags(argv, FLAGS, HELP);
    return parsed === undefined ? 0 : await upgrade(parsed.values);
  } catch (error) {
    say(error instanceof Refusal ? `\n${error.message}` : `\nUnexpected: ${error?.stack ?? error}`);
    return NOT_TRIED;
  }
}

async function upgrade({ from, keep, json }) {
  const { say } = await import('./stack/terminal.mjs');
  const { olderVersion } = await import('./upgrade/older-version.mjs');
  const older = olderVersion(from);
  tellWhich(older, say);
  const { ensureReady } = await import('./stack/setup.mjs');
  await ensureReady();
  const { checkOut } = await import('./upgrade/old-checkout.mjs');
  const { checkUpgrade } = await import('./upgrade/check.mjs');
  const { report } = await import('./upgrade/report.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  chmodSync(folder, 0o711); // Started by root, Postgres runs as another user and has to pass through.
  const interruption = await interruptible();
  try {
    Object.assign(older, await interruption(checkOut(older, join(folder, older.name))));
    const outcome = await checkUpgrade({ older, folder, interruption });
    report({ older, ...outcome }, json);
    return outcome.findings.length === 0 ? 0 : 1;
  } finally {
    if (keep) say(`  Kept: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

function tellWhich({ name, subject, added, passedOver }, say) {
  say(`  From ${name}, "${subject}", to which this version adds ${added.length} migrations`);
  for (const { name: other, changed } of passedOver)
    say(`  Not from ${other}: ${changed.join(', ')} was edited or renamed before anybody had it`);
}

/** Ctrl-C ends whatever is being waited for, so that everything that was started is stopped in order. */
async function interruptible() {
  const { Refusal } = await import('./stack/terminal.mjs');
  const stopped = new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.once(signal, () => reject(new Refusal(`${signal}: stopped before the end.`)));
  });
  stopped.catch(() => undefined);
  return (work) => Promise.race([work, stopped]);
}

main(process.argv.slice(2)).then((code) => process.exit(code));
