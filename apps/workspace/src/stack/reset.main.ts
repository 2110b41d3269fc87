// npm run reset: forgets the local stack's data, after asking. Only what the launcher itself made is removed, by name:
// a DATA_DIR that points at a folder with other things in it loses none of them.

import { existsSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { parseFlags, runCommand, step } from '@stablecoin/command-line/terminal';
import { takeLock } from '@stablecoin/local-stack/lock';
import { dataDirFrom, dataPaths } from '@stablecoin/local-stack/paths';
import { endLeftovers } from '@stablecoin/local-stack/processes';

const HELP = `
npm run reset [-- --yes]

Deletes all data of the local stack in DATA_DIR (default .data): databases, streams, chains, keys, logs. Asks first.

  --yes   don't ask
`;

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, { yes: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  const paths = dataPaths(dataDirFrom(process.env));
  const { postgres, postgresUnfinished, nats, chains, signerJournal, logs, ports, stack, secrets } = paths;
  const all = [postgres, postgresUnfinished, nats, chains, signerJournal, logs, ports, stack, secrets];
  const made = all.filter((path) => existsSync(path));
  if (made.length === 0) {
    process.stdout.write(`There is no data in ${paths.dataDir}.\n`);
    return 0;
  }
  const release = await takeLock(paths.lock, paths.dataDir);
  try {
    if (!parsed.values.yes && !(await confirmed(paths.dataDir))) {
      process.stdout.write('Nothing was deleted.\n');
      return 1;
    }
    await endLeftovers(paths.dataDir);
    await step(`Deleting the data in ${paths.dataDir}`, () => {
      for (const path of made) rmSync(path, { recursive: true, force: true });
    });
  } finally {
    release();
  }
  return 0;
}

async function confirmed(dataDir: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new OperatorError('There is no terminal to ask on: npm run reset -- --yes deletes without asking.');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const question = `Delete all databases, streams, chains and keys in ${dataDir}? This can't be undone. Type yes: `;
  try {
    return (await prompt.question(question)).trim() === 'yes';
  } finally {
    prompt.close();
  }
}

void runCommand(main);
