import { Command } from 'commander';
import { Progress } from '../key-rotation/progress';
import { Reindexed, Reindexing } from '../key-rotation/reindexing';
import { Rewrapped, Rewrapping } from '../key-rotation/rewrapping';
import { OperatorError } from '../operator-error';
import { command, CommandContext } from './command-context';
import { withKeys } from './operator-database';

const REWRAP_HELP = `
PERSONAL_DATA_KEY is the new key, PERSONAL_DATA_PREVIOUS_KEY the one before it; without the latter this only looks whether
everything opens. The services go on meanwhile. An interrupted run is repeated; what is done is done. How far it is stands on stderr.`;

const REINDEX_HELP = `
Only while no customer service runs, which is looked for, and to the end before one starts with the new key. An interrupted run
is repeated; what is done is done. How far it is stands on stderr.`;

/** What a change of keys asks of the database. */
export function addRotationCommands(root: Command, { env, print, tell }: CommandContext): void {
  command(root, 'rewrap-keys', 'Wraps every data key with the new master key, after which the previous one can go.')
    .addHelpText('after', REWRAP_HELP)
    .action(async ({ json }: { json?: boolean }) => {
      const rewrapped = await withKeys(env, (database, { masterKeys }) =>
        new Rewrapping(database, masterKeys).run(new Progress('data keys', tell)),
      );
      print(rewrapped, { json, table: rewrappedText });
      requireNoneLeft(rewrapped);
    });

  command(root, 'reindex', 'Makes the fingerprints of all customers with BLIND_INDEX_KEY, after it was changed.')
    .addHelpText('after', REINDEX_HELP)
    .action(async ({ json }: { json?: boolean }) =>
      print(
        await withKeys(env, (database, { personalData }) =>
          new Reindexing(database, personalData).run(new Progress('customers', tell)),
        ),
        { json, table: reindexedText },
      ),
    );
}

const rewrappedText = ({ total, rewrapped, left_under_previous_key, unreadable }: Rewrapped): string =>
  [
    `${total} data keys: ${rewrapped} wrapped anew, ${left_under_previous_key} left under the previous key.`,
    ...(left_under_previous_key + unreadable === 0 ? ['PERSONAL_DATA_PREVIOUS_KEY can be dropped.'] : []),
  ].join('\n');

const reindexedText = ({ total, reindexed }: Reindexed): string =>
  `${total} customers: the fingerprints of ${reindexed} were made anew, those of the others were right.`;

function requireNoneLeft({ left_under_previous_key: left, unreadable }: Rewrapped): void {
  if (unreadable > 0)
    throw new OperatorError(
      `${unreadable} data keys open with no master key at hand and were left as they are: put the key that was in use before ` +
        'into PERSONAL_DATA_PREVIOUS_KEY, there and of the services, and run rewrap-keys again.',
    );
  if (left > 0)
    throw new OperatorError(
      `${left} data keys are still under the previous key: a customer service goes on wrapping with it. Restart it with the ` +
        'new PERSONAL_DATA_KEY, and run rewrap-keys again.',
    );
}
