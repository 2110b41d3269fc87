// npm run generate, and npm's own `prepare` after an npm ci: the Prisma clients, so that an editor finds what they declare.

import './setup/node-version.mjs';

const HELP = `
npm run generate [-- --force]

Generates the Prisma client of every database whose schema.prisma changed since the last time.

  --force      generate all of them
  --installed  only where Prisma is installed already: for npm, which is installing right now
`;
const FLAGS = { force: { type: 'boolean' }, installed: { type: 'boolean' } };

async function main(argv) {
  const { parseFlags } = await import('./setup/flags.mjs');
  const parsed = parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return;
  const { ensureDependencies } = await import('./setup/dependencies.mjs');
  const { ensureGenerated, isPrismaInstalled } = await import('./setup/prisma-clients.mjs');
  if (!parsed.values.installed) await ensureDependencies();
  if (isPrismaInstalled()) await ensureGenerated({ force: parsed.values.force });
}

import('./setup/terminal.mjs').then(({ runCommand }) => runCommand(main));
