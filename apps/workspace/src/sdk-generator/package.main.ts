// npm run package:sdk: the TypeScript SDK as the file that npm publishes or installs.

import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { parseFlags, runCommand } from '@stablecoin/command-line/terminal';
import { packTypescriptSdk } from './typescript-package';

const HELP = `
npm run package:sdk [-- --out FOLDER]

Packs libs/sdk-typescript and prints where the tarball is: npm install FILE, or npm publish FILE.

  --out  where it is put; dist/packages unless said otherwise
`;

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, { out: { type: 'string' } }, HELP);
  if (parsed === undefined) return 0;
  const { out = join(ROOT, 'dist/packages') } = parsed.values;
  process.stdout.write(`${await packTypescriptSdk(out)}\n`);
  return 0;
}

void runCommand(main);
