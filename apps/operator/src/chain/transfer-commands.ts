import { table } from '@stablecoin/command-line/table';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { cancelTransfer } from '@stablecoin/contracts/chain/cancel-transfer';
import { getTransfer } from '@stablecoin/contracts/chain/get-transfer';
import { listTransfers } from '@stablecoin/contracts/chain/list-transfers';
import { resumeLane } from '@stablecoin/contracts/chain/resume-lane';
import { TRANSFER_STATES, TransferState, TransferView } from '@stablecoin/contracts/chain/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Command, InvalidArgumentError } from 'commander';
import { actedBy, acting, ActingOptions } from '../acting';
import { textOfUpTo } from '../arguments';
import { command, CommandContext } from '../command-context';
import { LIMIT, networkOption, ourAddress, PAGE } from './chain-arguments';
import { RefusalSentences } from '../asked-service';
import { askChain } from './chain-service';
import { amountText, transferText } from './transfer-text';

const REFERENCE_CHARACTERS_MAX = 100;
const NAME = ['<name>', 'its reference, as `transfers` and `status` show it'] as const;
const referenceText = textOfUpTo(REFERENCE_CHARACTERS_MAX);

interface ListOptions {
  network?: EvmNetwork;
  state?: TransferState;
  page: number;
  limit: number;
  json?: boolean;
}

interface ResumeOptions extends ActingOptions {
  network: EvmNetwork;
  address: string;
  json?: boolean;
}

const REFUSALS: RefusalSentences = {
  not_found: 'There is no such transfer.',
  invalid_transition: 'It has ended otherwise, or is held because its transaction did not do what was ordered.',
};

/** Transfers that leave our addresses, each by its reference. */
export function addTransferCommands(chain: Command, context: CommandContext): void {
  command(chain, 'transfers', 'Lists transfers from our addresses, newest first.')
    .addOption(networkOption('only of this network'))
    .option('--state <state>', `only those that are ${TRANSFER_STATES.join(', ')}`, stateOf)
    .option(...PAGE)
    .option(...LIMIT)
    .action(async ({ json, ...asked }: ListOptions) =>
      context.print(await askChain(context, listTransfers, asked), { json, table: listText }),
    );

  command(chain, 'transfer', 'Shows everything that is known of a transfer, with each transaction made for it.')
    .argument(...NAME, referenceText)
    .action(async (reference: string, { json }: { json?: boolean }) =>
      context.print(await askChain(context, getTransfer, { reference }, REFUSALS), { json, table: transferText }),
    );

  acting(command(chain, 'cancel', 'Ends a transfer: at once, or once a transaction in its place is final.'), {
    demands: true,
  })
    .argument(...NAME, referenceText)
    .action(async (reference: string, { json, ...who }: ActingOptions & { json?: boolean }) => {
      const { actor, reason } = actedBy(context, who);
      const asked = { reference, actor, reason: reason ?? '' };
      context.print(await askChain(context, cancelTransfer, asked, REFUSALS), { json, table: cancelledText });
    });

  acting(command(chain, 'resume', 'Lets an address of ours send again after something else has sent from it.'), {
    demands: true,
  })
    .addOption(networkOption('on which network').makeOptionMandatory())
    .requiredOption('--address <address>', 'of ours, as the log names it with nonce_taken', ourAddress)
    .action(async ({ network, address, json, ...who }: ResumeOptions) => {
      const { actor, reason } = actedBy(context, who);
      const resumed = await askChain(
        context,
        resumeLane,
        { network, address, actor, reason: reason ?? '' },
        { not_found: 'Nothing was ever sent from this address.' },
      );
      context.print(resumed, { json, table: () => `${address} goes on at the nonce that ${network} is at.` });
    });
}

function stateOf(value: string): TransferState {
  const found = TRANSFER_STATES.find((each) => each === value);
  if (found) return found;
  throw new InvalidArgumentError(`It must be one of ${TRANSFER_STATES.join(', ')}.`);
}

function listText({ items, total, page, limit }: Page<TransferView>): string {
  if (total === 0) return 'There is none.';
  const rows = items.map((item) => [
    ...[item.reference, item.kind, item.network, amountText(item), item.state, item.failure ?? item.held_by],
    ...[item.to_address, item.transaction_hash, item.created_at],
  ]);
  const header = ['NAME', 'KIND', 'NETWORK', 'AMOUNT', 'STATE', 'WHY', 'TO', 'TRANSACTION', 'ORDERED'];
  return [table(header, rows), `Page ${page} of ${Math.ceil(total / limit)}: ${total} in all.`].join('\n');
}

function cancelledText({ reference, state, failure }: TransferView): string {
  if (state === 'failed') return `${reference}: ${failure ?? 'failed'}. Nothing of it can be mined.`;
  if (state === 'completed') return `${reference}: it was completed before.`;
  return `${reference}: a transaction of nothing takes its place. It has failed once that one is final, and not before.`;
}
