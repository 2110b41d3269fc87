// npm run build, and npm's own `prepare` after an npm ci: everything that running from dist/ needs (tools/setup/compile.mjs
// says how). An editor then finds the Prisma clients, and `npx nx test` the set-ups of the tests.

import './setup/node-version.mjs';

const HELP = `
npm run build [-- --force]
node tools/build.mjs FOLDER …

Generates the Prisma clients and compiles apps/ and libs/ into dist/, if anything changed since the last build.

  --force      compile everything
  --installed  only where the tools are installed already: for npm, which is installing right now
  FOLDER …     compile these folders, whatever changed: how Nx builds one project
`;
const FLAGS = { force: { type: 'boolean' }, installed: { type: 'boolean' } };

async function main(argv) {
  const { parseFlags } = await import('./setup/flags.mjs');
  const parsed = parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return;
  const { buildInstalled, compileProjects, ensureReady } = await import('./setup/ready.mjs');
  if (parsed.values.installed) await buildInstalled();
  else if (parsed.positionals.length > 0) await compileProjects(parsed.positionals);
  else await ensureReady({ force: parsed.values.force });
}

import('./setup/terminal.mjs').then(({ runCommand }) => runCommand(main));
