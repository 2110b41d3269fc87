// How every command of package.json is run: sets the checkout up where needed, then runs the command's built program in this
// same process, so that signals, the IPC channel and the exit code are the program's own.

import './setup/node-version.mjs';

const HELP = `
node tools/run.mjs ENTRY [ARGUMENTS …]
node tools/run.mjs TOOL [ARGUMENTS …]

Installs, generates and builds what is out of date, then runs dist/<ENTRY>.js, whose ENTRY is the path of its source without
.ts (apps/workspace/src/start), or a program of node_modules/.bin by its name, for which nothing is built.
`;

async function main([name, ...args]) {
  if (name === undefined || name === '--help') {
    process.stdout.write(`${HELP.trim()}\n`);
    return name === undefined ? 1 : 0;
  }
  const { runEntry, runTool } = await import('./setup/run.mjs');
  return name.includes('/') ? runEntry(name, args) : runTool(name, args);
}

import('./setup/terminal.mjs').then(({ runCommand }) => runCommand(main));
