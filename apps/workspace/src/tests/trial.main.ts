// npm run trial -- NAME: runs one of the trials of the whole service, each a program in apps/trials, in this process,
// so that the trial gets the signals and sets the exit code.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import { runCommand } from '@stablecoin/command-line/terminal';

const TRIALS: Readonly<Record<string, string>> = {
  faults: 'processes killed, connections cut, disks full: nothing acknowledged is lost (npm run faults)',
  shards: "shards moved between the ledger's databases under load, movers, owners and servers killed",
  failover: 'a cluster of brokers, a Postgres with a standby, their servers killed (npm run test:failover)',
  upgrade: 'services of an older version replaced one by one, and back (npm run upgrade:check)',
  chain: 'deposits and payouts on a local chain: processes killed, blocks replaced, nodes that fail and lie',
  neighbours: 'one merchant attacks, another must notice nothing',
  forgery: 'who could forge what: refused, or found by the auditor, or noticed by whom the table says',
  deployment: 'the compose file, the images and all of it running, without Docker (npm run compose:check)',
};

const HELP = `
npm run trial -- NAME [options of the trial]

${Object.entries(TRIALS)
  .map(([name, what]) => `  ${name.padEnd(12)} ${what}`)
  .join('\n')}

  NAME --help   the options of a trial
`;

function main([name, ...args]: string[]): void {
  if (name === '--help' || name === '-h') {
    process.stdout.write(`${HELP.trim()}\n`);
    return;
  }
  if (name === undefined || TRIALS[name] === undefined)
    throw new OperatorError(
      `${name === undefined ? 'Name a trial' : `There is no trial "${name}"`}: ${Object.keys(TRIALS).join(', ')}.`,
    );
  const program = join(ROOT, 'dist', 'apps', 'trials', name, 'src', 'main.js');
  process.argv = [process.execPath, program, ...args];
  createRequire(__filename)(program);
}

void runCommand(main);
