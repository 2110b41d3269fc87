// npm run package:programs: the command line and the MCP server as the files that npm publishes or installs.

import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { parseFlags, runCommand } from '@stablecoin/command-line/terminal';
import { MERCHANT_PROGRAMS, packProgram } from './program-package';

const HELP = `
npm run package:programs [-- --out FOLDER]

Packs apps/merchant-cli and apps/merchant-mcp and prints where the tarballs are. Both need that of npm run package:sdk.

  --out  where they are put; dist/packages unless said otherwise
`;

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, { out: { type: 'string' } }, HELP);
  if (parsed === undefined) return 0;
  const { out = join(ROOT, 'dist/packages') } = parsed.values;
  for (const name of MERCHANT_PROGRAMS) process.stdout.write(`${await packProgram(name, out)}\n`);
  return 0;
}

void runCommand(main);
