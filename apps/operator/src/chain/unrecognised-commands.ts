import { table } from '@stablecoin/command-line/table';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { listUnrecognised } from '@stablecoin/contracts/chain/list-unrecognised';
import {
  Resolved,
  resolveUnrecognised,
  UnrecognisedResolution,
} from '@stablecoin/contracts/chain/resolve-unrecognised';
import { UNRECOGNISED_REASONS, UnrecognisedReason, UnrecognisedView } from '@stablecoin/contracts/chain/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Act, recordActBefore } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { actedBy, acting, ActingOptions } from '../acting';
import { uuid } from '../arguments';
import { command, CommandContext } from '../command-context';
import { LIMIT, networkOption, PAGE, transactionHash } from './chain-arguments';
import { RefusalSentences } from '../asked-service';
import { onLog } from '../operator-database';
import { askChain } from './chain-service';

interface ListOptions {
  network?: EvmNetwork;
  reason?: UnrecognisedReason;
  page: number;
  limit: number;
  json?: boolean;
}

interface ResolveOptions extends ActingOptions {
  credit?: string;
  ignore?: boolean;
  returned?: string;
  json?: boolean;
}

const REFUSALS: RefusalSentences = {
  not_found: 'There is no such transfer: its id is the first column of the list.',
  invalid_transition: 'It is resolved already, or its transfer is on the chain no longer.',
  wallet_not_found: 'There is no such wallet.',
  unsupported_pair:
    'It can not be credited to this wallet: of another currency, of no listed token, or below a millionth.',
};

/** Transfers to our addresses that were not credited by themselves. */
export function addUnrecognisedCommands(chain: Command, context: CommandContext): void {
  const unrecognised = chain
    .command('unrecognised')
    .description('Transfers to our addresses that were not credited by themselves, and what is decided on them.');

  command(unrecognised, 'list', 'Lists those that wait, newest first.', { isDefault: true })
    .addOption(networkOption('only of this network'))
    .option('--reason <reason>', `only with this reason: ${UNRECOGNISED_REASONS.join(', ')}`, reasonOf)
    .option(...PAGE)
    .option(...LIMIT)
    .action(async ({ json, ...asked }: ListOptions) =>
      context.print(await askChain(context, listUnrecognised, asked), { json, table: listText }),
    );

  acting(command(unrecognised, 'resolve', 'Decides on one, once: one of --credit, --ignore, --returned.'), {
    demands: true,
  })
    .argument('<id>', 'as the list shows it', uuid)
    .addOption(new Option('--credit <wallet>', 'to this wallet, like every other deposit').argParser(uuid))
    .addOption(new Option('--ignore', 'nothing will be done'))
    .addOption(
      new Option('--returned <hash>', 'it was sent back by hand, in this transaction').argParser(transactionHash),
    )
    .action(async (id: string, { json, ...options }: ResolveOptions, self: Command) => {
      const by = actedBy(context, options);
      const resolution = resolutionOf(options, self);
      await onLog(context.settings, (database) => recordActBefore(database, actOf(id, resolution), by));
      const decided = { id, ...resolution, actor: by.actor, reason: by.reason ?? '' };
      const resolved = await askChain(context, resolveUnrecognised, decided, REFUSALS);
      context.print(resolved, { json, table: resolvedText });
    });
}

function reasonOf(value: string): UnrecognisedReason {
  const found = UNRECOGNISED_REASONS.find((each) => each === value);
  if (found) return found;
  throw new InvalidArgumentError(`It must be one of ${UNRECOGNISED_REASONS.join(', ')}.`);
}

interface Decided {
  resolution: UnrecognisedResolution;
  wallet_id?: string;
  transaction_hash?: string;
}

/** An auditor holds what the chain service has written down as decided against it. */
const actOf = (deposit: string, { resolution, wallet_id, transaction_hash }: Decided): Act => ({
  action: 'chain unrecognised resolve',
  details: { deposit, resolution, wallet: wallet_id ?? null, transaction: transaction_hash ?? null },
});

function resolutionOf({ credit, ignore, returned }: ResolveOptions, self: Command): Decided {
  const given = [credit !== undefined, ignore === true, returned !== undefined].filter(Boolean).length;
  if (given !== 1) self.error('error: say what is decided: one of --credit WALLET, --ignore, --returned HASH');
  if (credit !== undefined) return { resolution: 'credit', wallet_id: credit };
  return returned === undefined ? { resolution: 'ignore' } : { resolution: 'returned', transaction_hash: returned };
}

const resolvedText = ({ id, resolution }: Resolved): string =>
  resolution === 'credit' ? `${id}: is credited like every other deposit.` : `${id}: ${resolution}.`;

function listText({ items, total, page, limit }: Page<UnrecognisedView>): string {
  if (total === 0) return 'Nothing waits.';
  const rows = items.map((item) => [
    ...[item.id, item.network, item.reason, item.amount, item.currency ?? item.token, item.standing],
    ...[item.wallet_id, item.from_address, item.transaction_hash, item.seen_at],
  ]);
  const header = ['ID', 'NETWORK', 'WHY', 'AMOUNT', 'TOKEN', 'STANDS', 'WALLET', 'FROM', 'TRANSACTION', 'SEEN'];
  return [table(header, rows), `Page ${page} of ${Math.ceil(total / limit)}: ${total} in all.`].join('\n');
}
