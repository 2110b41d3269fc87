import { Command, InvalidArgumentError } from 'commander';
import { EVM_NETWORKS, EvmNetwork } from '@stablecoin/chains/chains';
import { NETWORKS } from '@stablecoin/money/currency';
import { CommandLine } from '../command-line/command-line';
import { ACTS_HEAD_HELP, ACTS_HELP, collected, JSON_HELP, pointInTime, trustedKey } from '../command-line/options';
import { Progress } from '../report/progress';
import { CHAIN_ENVIRONMENT } from './chain-records';
import { solvency } from './solvency';
import {
  addressOf,
  anyNetworkOf,
  COLD_WALLETS,
  hashOf,
  HOT_WALLETS,
  merchantsIn,
  networkOf,
  nodesVariable,
  SolvencyFlags,
  solvencySettings,
  statedHoldingIn,
} from './solvency-settings';
import { solvencyReport } from './solvency.report';

export function addSolvencyCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('solvency')
    .description('Whether what is held on chains covers what is owed, and where every unit of it came from')
    .option('--network <network>', `only this one of ${EVM_NETWORKS.join(', ')}; may be repeated`, collected(network))
    .option(
      '--hot <address>',
      `a hot wallet, also a former one; may be repeated; else ${HOT_WALLETS}`,
      collected(address),
    )
    .option('--cold <address>', `a cold wallet; may be repeated; else ${COLD_WALLETS}`, collected(address))
    .option('--from <network:block>', 'before this block hot and cold had no tokens; may be repeated', collected(place))
    .option('--taken-out <hash>', 'by this transaction we took out our own money; may be repeated', collected(hash))
    .option(
      '--test-merchants <file>',
      'leaves out these merchants as well as those with test keys: an id in each line',
      merchants,
    )
    .option(
      '--held-elsewhere <network=amount:currency>',
      'states what is held on a network without nodes, which nothing here checks; may be repeated',
      collected(statedHolding),
    )
    .option(
      '--without <network>',
      'leaves out a network without nodes: what came in there is to be found there; may be repeated',
      collected(anyNetwork),
    )
    .option(
      '--key <public key>',
      'trust statements and checkpoints by this key; may be repeated',
      collected(trustedKey),
    )
    .option('--acts <file>', ACTS_HELP)
    .option('--acts-head <number:hash>', ACTS_HEAD_HELP)
    .option(
      '--acts-since <time>',
      'decisions before then were not recorded as acts: they are listed all the same',
      pointInTime,
    )
    .option('--json', JSON_HELP)
    .addHelpText('after', HELP)
    .action(({ json, ...flags }: SolvencyFlags & { json?: boolean }) => {
      const settings = solvencySettings(commandLine.env, flags);
      const shown: Progress[] = [];
      const progressOf = (of: EvmNetwork, what: string, total: number) => {
        const progress = new Progress(total, process.stderr, `${what} of ${of}`);
        shown.push(progress);
        return progress.add;
      };
      return commandLine.print(json, async (ledgers) => {
        try {
          return solvencyReport(await solvency(ledgers, commandLine.env, settings, progressOf));
        } finally {
          shown.forEach((progress) => progress.end());
        }
      });
    });
}

const HELP = `
Nodes: ${EVM_NETWORKS.map(nodesVariable).join(', ')}, one or two each, by commas; two have to agree.
Database of the chain service: ${CHAIN_ENVIRONMENT.join(', else ')}.
Networks without nodes: where something is owed there that is neither stated nor left out, it was not looked at, which is 1.
Exit codes: 0 covered, and every unit explained; 1 not; 2 it could not be looked at.`;

const reader =
  <Value>(read: (text: string) => Value | undefined, expected: string) =>
  (text: string): Value => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(`It takes ${expected}.`);
    return value;
  };

const network = reader(networkOf, `one of ${EVM_NETWORKS.join(', ')}`);
const anyNetwork = reader(anyNetworkOf, `one of ${NETWORKS.join(', ')}`);
const statedHolding = reader(statedHoldingIn, 'a network, an amount and a currency, such as solana=3000000:USDC');
const address = reader(addressOf, 'the address of an account: 0x and 40 hex digits');
const hash = reader(hashOf, "a transaction's hash: 0x and 64 hex digits");
const place = reader((text): [EvmNetwork, number] | undefined => {
  const [, of = '', block = ''] = /^(\w+):(0|[1-9]\d{0,14})$/.exec(text) ?? [];
  const known = networkOf(of);
  return known && [known, Number(block)];
}, 'a network and a block, such as erc20:21000000');

function merchants(file: string): string[] {
  try {
    const ids = merchantsIn(file);
    if (ids) return ids;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
  throw new InvalidArgumentError('Each line of the file is the id of a merchant.');
}
