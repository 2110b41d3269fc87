import { Progress } from '@stablecoin/customer-store/key-rotation/progress';
import { Reindexed, Reindexing } from '@stablecoin/customer-store/key-rotation/reindexing';
import { requireNoneLeft, Rewrapped, Rewrapping } from '@stablecoin/customer-store/key-rotation/rewrapping';
import { Command } from 'commander';
import { command, CommandContext } from '../command-context';
import { asOperator } from '../operator-database';

const REWRAP_HELP = `
PERSONAL_DATA_KEY is the new key, PERSONAL_DATA_PREVIOUS_KEY the one before it; without the latter this only looks whether
everything opens. The services go on meanwhile. An interrupted run is repeated; what is done is done. How far it is stands on stderr.`;

const REINDEX_HELP = `
Only while no customer service runs, which is looked for, and to the end before one starts with the new key. An interrupted run
is repeated; what is done is done. How far it is stands on stderr.`;

/** Commands for the work on the database that a change of keys needs. */
export function addKeyRotationCommands(customers: Command, { settings, print, tell }: CommandContext): void {
  command(
    customers,
    'rewrap-keys',
    'Wraps every data key with the new master key, after which the previous one can go.',
  )
    .addHelpText('after', REWRAP_HELP)
    .action(async ({ json }: { json?: boolean }) => {
      const rewrapped = await asOperator(settings, ({ database, masterKeys }) =>
        new Rewrapping(database, masterKeys).run(new Progress('data keys', tell)),
      );
      print(rewrapped, { json, table: rewrappedText });
      requireNoneLeft(rewrapped);
    });

  command(customers, 'reindex', 'Makes the fingerprints of all customers with BLIND_INDEX_KEY, after it was changed.')
    .addHelpText('after', REINDEX_HELP)
    .action(async ({ json }: { json?: boolean }) =>
      print(
        await asOperator(settings, ({ database, personalData }) =>
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
