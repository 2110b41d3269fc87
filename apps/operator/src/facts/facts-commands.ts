// npm run facts: facts of the ledger that a service could not handle (tools/facts/command.mjs), of the local stack or of the
// databases that the environment names.

import './stack/node-version.mjs';
import { factsCommand } from './facts/command.mjs';
import { urlVariable } from './stack/databases.mjs';
import { readStack } from './stack/description.mjs';
import { ensureReady } from './stack/setup.mjs';
import { Refusal, runCommand } from './stack/terminal.mjs';

function urlOf(name) {
  const url = process.env[urlVariable(name)] || readStack(process.env)?.databases[name];
  if (url) return url;
  throw new Refusal(`Where is the ${name} database? Set ${urlVariable(name)}, or start the stack: npm start.`);
}

runCommand((argv) =>
  factsCommand(argv, {
    called: 'npm run facts --',
    environment:
      '<NAME>_DATABASE_URL, for NAME in CUSTOMER, SWAP, PAYOUT; without them the stack that runs in DATA_DIR.',
    prepare: () => ensureReady({ build: false, quiet: true }),
    urlOf,
  }),
);
