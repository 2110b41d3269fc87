import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseFlags, runCommand, say } from '@stablecoin/command-line/terminal';
import { artifactFile, CONTRACTS } from './artifacts';
import { compiledArtifacts } from './compile';

const HELP = `
node tools/run.mjs libs/test-tokens/src/compile.main

Compiles libs/test-tokens/contracts and writes each contract's artifact beside its source. Commit what it writes.
`;

async function main(argv: string[]): Promise<void> {
  if (parseFlags(argv, {}, HELP) === undefined) return;
  const compiled = compiledArtifacts();
  for (const name of CONTRACTS) {
    writeFileSync(artifactFile(name), `${JSON.stringify(compiled[name], null, 2)}\n`);
    say(basename(artifactFile(name)));
  }
  await Promise.resolve();
}

void runCommand(main);
