// npm run compose:secrets: the files of docker-compose.yml's secrets (tools/compose/secret-files.mjs says how).

import './stack/node-version.mjs';
import { resolve } from 'node:path';
import { ROOT } from './stack/paths.mjs';
import { parseFlags, runCommand, say } from './stack/terminal.mjs';

const HELP = `
npm run compose:secrets [-- --folder FOLDER]

Draws every secret that docker-compose.yml names and that isn't there yet, each into a file of its own. What is there stays:
deleting a file and running this again draws that secret anew. docs/OPERATIONS.md says what a rotation takes, and which
secrets must never be lost.

  --folder FOLDER   default SECRETS_FOLDER, else deploy/secrets
  --help
`;

async function main(argv) {
  const folderFlag = { type: 'string', default: process.env.SECRETS_FOLDER || 'deploy/secrets' };
  const parsed = await parseFlags(argv, { folder: folderFlag }, HELP);
  if (parsed === undefined) return;
  const { writeSecretFiles } = await import('./compose/secret-files.mjs');
  const folder = resolve(ROOT, parsed.values.folder);
  const { drawn, derived } = writeSecretFiles(folder);
  say(`${folder}: ${drawn.length} drawn, ${derived.length} that follow from them written.`);
  if (drawn.length > 0)
    say(
      'Keep a copy where it is safe: without personal_data_key personal data is gone, without deposit_seed the deposits.',
    );
}

runCommand(main);
