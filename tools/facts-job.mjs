// docker compose run --rm facts: facts of the ledger that a service could not handle (tools/facts/command.mjs). Where
// tools/facts.mjs serves a checkout, this runs from an image. Connection strings come from the environment, or from the
// files that <NAME>_FILE names.

import './stack/node-version.mjs';
import { factsCommand } from './facts/command.mjs';
import { urlVariable } from './stack/databases.mjs';
import { secretFrom } from './stack/secret-files.mjs';
import { Refusal, runCommand } from './stack/terminal.mjs';

function urlOf(name) {
  const variable = urlVariable(name);
  const url = secretFrom(process.env, variable);
  if (url) return url;
  throw new Refusal(`${variable} is not set: give it, or ${variable}_FILE with the path of a file that holds it.`);
}

runCommand((argv) =>
  factsCommand(argv, {
    called: 'docker compose run --rm facts',
    environment:
      '<NAME>_DATABASE_URL, for NAME in CUSTOMER, SWAP, PAYOUT, or the file that <NAME>_DATABASE_URL_FILE names.',
    urlOf,
  }),
);
