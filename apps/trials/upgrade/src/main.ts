// npm run upgrade:check: upgrades from an older version of this project to the one in this checkout, and back, service
// by service under load. The older version comes from git and is built here. Postgres and NATS are started only for
// this, and removed with everything else in the end, also after an error. The phases are in upgrade-trial.ts.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { parseFlags, say } from '@stablecoin/command-line/terminal';
import { checkOut } from './old-checkout';
import { MissingHistory, olderVersion, type OlderVersion } from './older-version';
import { report } from './report';
import { tryUpgrade } from './upgrade-trial';

const HELP = `
npm run upgrade:check -- [--from COMMIT] [--keep] [--json]

Upgrades from an older version of this project to this one, and back, as docs/OPERATIONS.md says, while a merchant works:
no request may fail. Takes about two minutes, and needs the history (a clone that isn't shallow).

  --from   the older version; unless given, the newest commit whose schema is older
  --keep   leave the folder with the data and the logs, and say where it is
  --json   one JSON line on stdout: {"from","applied":[…],"phases":[…],"payouts","findings":[…],"ok"}
  --help

Exit codes: 0 it went without a failed request, 1 it did not, 2 it could not be tried, 3 the history has no older version.
`;
const FLAGS = { from: { type: 'string' }, keep: { type: 'boolean' }, json: { type: 'boolean' } } as const;
const EXIT = { ok: 0, findings: 1, notTried: 2, noHistory: 3 };

async function main(argv: string[]): Promise<number> {
  try {
    const parsed = parseFlags(argv, FLAGS, HELP);
    if (parsed === undefined) return EXIT.ok;
    const { from, keep = false, json = false } = parsed.values;
    return await upgrade(from, { keep, json });
  } catch (error) {
    const isExpected = error instanceof OperatorError;
    say(
      isExpected ? `\n${error.message}` : `\nUnexpected: ${error instanceof Error ? error.stack : errorMessage(error)}`,
    );
    return error instanceof MissingHistory ? EXIT.noHistory : EXIT.notTried;
  }
}

async function upgrade(from: string | undefined, { keep, json }: { keep: boolean; json: boolean }): Promise<number> {
  const older = olderVersion(from);
  sayWhich(older);
  const interruptible = watchSignals();
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  chmodSync(folder, 0o711); // Started by root, Postgres runs as another user and has to pass through.
  try {
    const root = await interruptible(checkOut(older));
    const outcome = await tryUpgrade({ older: { ...older, root }, folder, interruptible });
    report(older, outcome, json);
    return outcome.findings.length === 0 ? EXIT.ok : EXIT.findings;
  } finally {
    if (keep) say(`  Kept: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

function sayWhich({ name, subject, added, passedOver }: OlderVersion): void {
  say(`  From ${name}, "${subject}", to which this version adds ${added.length} migrations`);
  for (const { name: other, changed } of passedOver)
    say(`  Not from ${other}: ${changed.join(', ')} was edited or renamed before it was released`);
}

/** Makes Ctrl-C reject the awaited work, so that everything that was started is stopped in order. */
function watchSignals(): <Result>(work: Promise<Result>) => Promise<Result> {
  const stopped = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => reject(new OperatorError(`${signal}: stopped before the end.`)));
  });
  stopped.catch(() => undefined);
  return (work) => Promise.race([work, stopped]);
}

void main(process.argv.slice(2)).then((code) => process.exit(code));
