import { Progress } from '@stablecoin/customer-store/progress';
import { Reindexed, Reindexing } from '@stablecoin/customer-store/key-rotation/reindexing';
import { requireNoneLeft, Rewrapped, Rewrapping } from '@stablecoin/customer-store/key-rotation/rewrapping';
import { recordActBefore } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { Command } from 'commander';
import { actedBy, acting, ActingOptions } from '../acting';
import { command, CommandContext } from '../command-context';
import { asOperator } from '../operator-database';

interface KeyRotationOptions extends ActingOptions {
  json?: boolean;
}

const REWRAP_HELP = `
PERSONAL_DATA_KEY is the new key, PERSONAL_DATA_PREVIOUS_KEY the one before it; without the latter this only looks whether
everything opens. The services go on meanwhile. An interrupted run is repeated; what is done is done. How far it is stands on stderr.`;

const REINDEX_HELP = `
Only while no customer service runs, which is looked for, and to the end before one starts with the new key. An interrupted run
is repeated; what is done is done. How far it is stands on stderr.`;

/** Commands for the work on the database that a change of keys needs. */
export function addKeyRotationCommands(customers: Command, context: CommandContext): void {
  const { settings, print, tell } = context;
  const rewrap = command(
    customers,
    'rewrap-keys',
    'Wraps every data key with the new master key, after which the previous one can go.',
  );
  acting(rewrap, { demands: false })
    .addHelpText('after', REWRAP_HELP)
    .action(async ({ json, ...who }: KeyRotationOptions) => {
      const by = actedBy(context, who);
      const rewrapped = await asOperator(settings, async ({ database, wrapping }) => {
        await recordActBefore(database, { action: 'customers rewrap-keys' }, by);
        return new Rewrapping(database, wrapping).run(new Progress('data keys', tell));
      });
      print(rewrapped, { json, table: rewrappedText });
      requireNoneLeft(rewrapped);
    });

  const reindex = command(
    customers,
    'reindex',
    'Makes the fingerprints of all customers with BLIND_INDEX_KEY, after it was changed.',
  );
  acting(reindex, { demands: false })
    .addHelpText('after', REINDEX_HELP)
    .action(async ({ json, ...who }: KeyRotationOptions) => {
      const by = actedBy(context, who);
      const reindexed = await asOperator(settings, async ({ database, personalData }) => {
        await recordActBefore(database, { action: 'customers reindex' }, by);
        return new Reindexing(database, personalData).run(new Progress('customers', tell));
      });
      print(reindexed, { json, table: reindexedText });
    });
}

const rewrappedText = ({ total, rewrapped, left_under_previous_key, unreadable }: Rewrapped): string =>
  [
    `${total} data keys: ${rewrapped} wrapped anew, ${left_under_previous_key} left under the previous key.`,
    ...(left_under_previous_key + unreadable === 0 ? ['PERSONAL_DATA_PREVIOUS_KEY can be dropped.'] : []),
  ].join('\n');

const reindexedText = ({ total, reindexed }: Reindexed): string =>
  `${total} customers: the fingerprints of ${reindexed} were made anew, those of the others were right.`;
