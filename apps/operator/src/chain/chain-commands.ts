import { EvmNetwork } from '@stablecoin/chains/chains';
import { getTreasury } from '@stablecoin/contracts/chain/get-treasury';
import { rescan } from '@stablecoin/contracts/chain/rescan';
import { chainStatus } from '@stablecoin/contracts/chain/status';
import { Command } from 'commander';
import { command, CommandContext } from '../command-context';
import { addAddressCommands } from './address-commands';
import { blockNumber, networkOption } from './chain-arguments';
import { RefusalSentences } from '../asked-service';
import { askChain } from './chain-service';
import { statusText } from './status-text';
import { addTransferCommands } from './transfer-commands';
import { treasuryText } from './treasury-text';
import { addUnrecognisedCommands } from './unrecognised-commands';

interface NetworkOptions {
  network?: EvmNetwork;
  json?: boolean;
}

const HELP = `
Asks the chain service over the bus, and nothing else: it needs NATS_URL and BUS_KEY (or the files that NATS_URL_FILE and
BUS_KEY_FILE name), and no node. In a checkout, without them, the stack that runs in DATA_DIR. What is decided on a transfer is
recorded with it: who, when, and why. What unrecognised resolve decides is in the log of acts too, in the customer service's
database (CUSTOMER_DATABASE_URL), before the chain service is asked.`;

const WITHOUT_NODES: RefusalSentences = { not_found: 'The chain service has no node of this network.' };

/** Money on real chains, as the chain service knows it. */
export function addChainCommands(root: Command, context: CommandContext): void {
  const chain = root
    .command('chain')
    .description('Deposits, transfers and what we hold on chains.')
    .addHelpText('after', HELP);

  command(chain, 'status', 'Shows how far each network is walked, what is unconfirmed, and what waits.')
    .addOption(networkOption('only this network'))
    .action(async ({ network, json }: NetworkOptions) =>
      context.print(await askChain(context, chainStatus, { network }, WITHOUT_NODES), { json, table: statusText }),
    );

  command(chain, 'rescan', 'Has blocks looked at again for deposits: safe at any time.')
    .addOption(networkOption('which network').makeOptionMandatory())
    .requiredOption('--from <block>', 'the first block', blockNumber)
    .action(
      async ({ network, from, json }: Required<Pick<NetworkOptions, 'network'>> & { from: number; json?: boolean }) => {
        const asked = await askChain(
          context,
          rescan,
          { network, from_block: from },
          {
            not_found: 'The network is not walked: the chain service has no node of it, or has not begun.',
          },
        );
        const table = () => `${network} is looked at again from block ${from}: status shows how far it is.`;
        context.print(asked, { json, table });
      },
    );

  addUnrecognisedCommands(chain, context);

  command(chain, 'treasury', 'Shows what we hold on each network and where, and the fees that were paid.')
    .addOption(networkOption('only this network'))
    .action(async ({ network, json }: NetworkOptions) =>
      context.print(await askChain(context, getTreasury, { network }, WITHOUT_NODES), { json, table: treasuryText }),
    );

  addTransferCommands(chain, context);
  addAddressCommands(chain, context);
}
