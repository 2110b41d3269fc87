// npm run build: everything that running from dist/ needs (tools/setup/compile.mjs says how).

import './setup/node-version.mjs';

const HELP = `
npm run build [-- --force]
node tools/build.mjs FOLDER …

Generates the Prisma clients and compiles apps/ and libs/ into dist/, if anything changed since the last build.

  --force   compile everything
  FOLDER …  compile these folders, whatever changed: how Nx builds one project
`;

async function main(argv) {
  const { parseFlags } = await import('./setup/flags.mjs');
  const parsed = parseFlags(argv, { force: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return;
  const { compileProjects, ensureReady } = await import('./setup/ready.mjs');
  if (parsed.positionals.length > 0) await compileProjects(parsed.positionals);
  else await ensureReady({ force: parsed.values.force });
}

import('./setup/terminal.mjs').then(({ runCommand }) => runCommand(main));
