import { resolve } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import {
  addSecondLedger,
  CHANGEABLE_KEYS,
  changeKey,
  writeSecretFiles,
} from '@stablecoin/local-stack/deployment-secrets';
import { Command } from 'commander';
import { CommandContext } from '../command-context';

const STEPS = ['accept', 'use', 'drop'] as const;
type Step = (typeof STEPS)[number];

interface SecretsOptions extends Partial<Record<Step, string>> {
  folder: string;
  twoLedgers?: true;
}

const DONE: Record<Step, string> = {
  accept: 'the next key is drawn. Restart every service that has it, then go on with --use.',
  use: 'the next key is in use. Restart every service that has it, then see docs/OPERATIONS.md before --drop.',
  drop: 'only the key in use is left. Restart every service that has it.',
};

const HELP = `
Draws every secret that docker-compose.yml names and that isn't there yet, each into a file of its own. What is there stays:
deleting a file and running this again draws that secret anew. docs/OPERATIONS.md says what a rotation takes, and which
secrets must never be lost.

KEY is ${CHANGEABLE_KEYS.join(' or ')}. What has to happen between the steps stands in docs/OPERATIONS.md.`;

/** Writes the files of docker-compose.yml's secrets (see libs/local-stack/src/deployment-secrets.ts). */
export function addSecretsCommand(root: Command, { env, tell }: CommandContext): void {
  root
    .command('secrets')
    .description("Draws a deployment's secrets, and changes its keys step by step.")
    .option(
      '--folder <folder>',
      'where the files are; the variable SECRETS_FOLDER says so too',
      env['SECRETS_FOLDER'] || 'deploy/secrets',
    )
    .option('--accept <key>', '1. the next key is drawn, to be accepted beside the one in use')
    .option('--use <key>', '2. the two change places: the next one is in use, the one before is accepted beside it')
    .option('--drop <key>', '3. what is accepted beside is emptied')
    .option(
      '--two-ledgers',
      'names the database of the profile two-ledgers to the ledger, the auditor and the migration job',
    )
    .addHelpText('after', HELP)
    .action((options: SecretsOptions) => {
      const change = changeIn(options);
      const folder = resolve(ROOT, options.folder);
      const { drawn, derived } = writeSecretFiles(folder);
      tell(`${folder}: ${drawn.length} drawn, ${derived.length} that follow from them written.`);
      if (options.twoLedgers) {
        const changed = addSecondLedger(folder);
        tell(changed.length > 0 ? `b is named in ${changed.join(', ')}.` : 'b was named before: nothing is changed.');
      }
      if (change !== undefined) {
        changeKey(folder, change.key, change.step);
        tell(`${change.key}: ${DONE[change.step]}`);
      }
      if (drawn.length > 0)
        tell(
          'Keep a copy where it is safe: without personal_data_key personal data is gone, without deposit_seed the deposits.',
        );
    });
}

function changeIn(options: SecretsOptions): { key: string; step: Step } | undefined {
  const [change, ...others] = STEPS.flatMap((step) => {
    const key = options[step];
    return key === undefined ? [] : [{ key, step }];
  });
  if (others.length > 0) throw new OperatorError('One step at a time: --accept, --use or --drop.');
  if (change !== undefined && !CHANGEABLE_KEYS.includes(change.key))
    throw new OperatorError(`${change.key} is not changed in steps: choose from ${CHANGEABLE_KEYS.join(', ')}.`);
  return change;
}
