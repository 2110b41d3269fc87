// npm run build: everything that running from dist/ needs (tools/stack/compile.mjs says how).

import './stack/node-version.mjs';

const HELP = `
npm run build [-- --force]

Generates the Prisma clients and compiles apps/ and libs/ into dist/, if anything changed since the last build.

  --force  compile everything
`;

async function main(argv) {
  const { parseFlags } = await import('./stack/terminal.mjs');
  const parsed = await parseFlags(argv, { force: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return;
  const { ensureReady } = await import('./stack/setup.mjs');
  await ensureReady({ forceBuild: parsed.values.force });
}

import('./stack/terminal.mjs').then(({ runCommand }) => runCommand(main));
