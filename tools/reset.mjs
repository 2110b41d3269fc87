// npm run reset: forgets the local stack's data, after asking. Only what the launcher itself made is removed, by name:
// a DATA_DIR that points at a folder with other things in it loses none of them.

import './stack/node-version.mjs';
import { existsSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { takeLock } from './stack/lock.mjs';
import { dataDirFrom, dataPaths } from './stack/paths.mjs';
import { endLeftovers } from './stack/processes.mjs';
import { parseFlags, Refusal, runCommand, step } from './stack/terminal.mjs';

const HELP = `
npm run reset [-- --yes]

Deletes all data of the local stack in DATA_DIR (default .data): databases, streams, keys, logs. Asks first.

  --yes   don't ask
`;

async function main(argv) {
  const parsed = await parseFlags(argv, { yes: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  const paths = dataPaths(dataDirFrom(process.env));
  const made = [
    paths.postgres,
    paths.postgresUnfinished,
    paths.nats,
    paths.logs,
    paths.ports,
    paths.stack,
    paths.secrets,
  ].filter((path) => existsSync(path));
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
    await step(`Deleting the data in ${paths.dataDir}`, () =>
      made.forEach((path) => rmSync(path, { recursive: true, force: true })),
    );
  } finally {
    release();
  }
  return 0;
}

async function confirmed(dataDir) {
  if (!process.stdin.isTTY)
    throw new Refusal('There is no terminal to ask on: npm run reset -- --yes deletes without asking.');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (
      (
        await prompt.question(`Delete all databases, streams and keys in ${dataDir}? This can't be undone. Type yes: `)
      ).trim() === 'yes'
    );
  } finally {
    prompt.close();
  }
}

runCommand(main);
