// npm run generate: the Prisma clients, so that an editor finds what they declare.

import './setup/node-version.mjs';

const HELP = `
npm run generate [-- --force]

Generates the Prisma client of every database whose schema.prisma changed since the last time.

  --force  generate all of them
`;

async function main(argv) {
  const { parseFlags } = await import('./setup/flags.mjs');
  const parsed = parseFlags(argv, { force: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return;
  const { ensureDependencies } = await import('./setup/dependencies.mjs');
  const { ensureGenerated } = await import('./setup/prisma-clients.mjs');
  await ensureDependencies();
  await ensureGenerated({ force: parsed.values.force });
}

import('./setup/terminal.mjs').then(({ runCommand }) => runCommand(main));
