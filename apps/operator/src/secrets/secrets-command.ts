// npm run compose:secrets: the files of docker-compose.yml's secrets (tools/compose/secret-files.mjs says how).

import './stack/node-version.mjs';
import { resolve } from 'node:path';
import { ROOT } from './stack/paths.mjs';
import { parseFlags, Refusal, runCommand, say } from './stack/terminal.mjs';

const HELP = `
npm run compose:secrets [-- --folder FOLDER] [--accept KEY | --use KEY | --drop KEY]

Draws every secret that docker-compose.yml names and that isn't there yet, each into a file of its own. What is there stays:
deleting a file and running this again draws that secret anew. docs/OPERATIONS.md says what a rotation takes, and which
secrets must never be lost.

  --folder FOLDER   default SECRETS_FOLDER, else deploy/secrets
  --accept KEY      1. the next key is drawn, to be accepted beside the one in use
  --use KEY         2. the two change places: the next one is in use, the one before is accepted beside it
  --drop KEY        3. what is accepted beside is emptied
                    KEY: personal_data_key or bus_key. What has to happen between the steps stands in docs/OPERATIONS.md.
  --help
`;

const DONE = {
  accept: 'the next key is drawn. Restart every service that has it, then go on with --use.',
  use: 'the next key is in use. Restart every service that has it, then see docs/OPERATIONS.md before --drop.',
  drop: 'only the key in use is left. Restart every service that has it.',
};
const STEPS = Object.keys(DONE);

async function main(argv) {
  const folderFlag = { type: 'string', default: process.env.SECRETS_FOLDER || 'deploy/secrets' };
  const stepFlags = Object.fromEntries(STEPS.map((step) => [step, { type: 'string' }]));
  const parsed = await parseFlags(argv, { folder: folderFlag, ...stepFlags }, HELP);
  if (parsed === undefined) return;
  const { CHANGEABLE_KEYS, changeKey, writeSecretFiles } = await import('./compose/secret-files.mjs');
  const steps = STEPS.filter((step) => parsed.values[step] !== undefined);
  if (steps.length > 1) throw new Refusal('One step at a time: --accept, --use or --drop.');
  const name = parsed.values[steps[0]];
  if (name !== undefined && !CHANGEABLE_KEYS.includes(name))
    throw new Refusal(`${name} is not changed in steps: choose from ${CHANGEABLE_KEYS.join(', ')}.`);
  const folder = resolve(ROOT, parsed.values.folder);
  const { drawn, derived } = writeSecretFiles(folder);
  say(`${folder}: ${drawn.length} drawn, ${derived.length} that follow from them written.`);
  if (name !== undefined) {
    changeKey(folder, name, steps[0]);
    say(`${name}: ${DONE[steps[0]]}`);
  }
  if (drawn.length > 0)
    say(
      'Keep a copy where it is safe: without personal_data_key personal data is gone, without deposit_seed the deposits.',
    );
}

runCommand(main);
