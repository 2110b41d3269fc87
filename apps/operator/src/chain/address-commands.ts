import { writeFileSync } from 'node:fs';
import { getPublicKeys, PublicKeys } from '@stablecoin/contracts/chain/get-public-keys';
import { errorCode } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { Command } from 'commander';
import { command, CommandContext } from '../command-context';
import { solanaCount } from './chain-arguments';
import { askChain } from './chain-service';

/** What one question may ask for. */
const PAGE = 100;

interface AddressOptions {
  solana: number;
  pool?: string;
  json?: boolean;
}

export function addAddressCommands(chain: Command, context: CommandContext): void {
  command(chain, 'addresses', 'Shows what a ledger without the seed gives out deposit addresses from.')
    .option('--solana <count>', 'how many addresses on Solana, from index 0 on', solanaCount, 0)
    .option('--pool <file>', 'where these are written, one a line; else they are printed')
    .action(async ({ solana, pool, json }: AddressOptions) => {
      const keys = await publicKeys(context, solana);
      if (keys.solana.length < solana)
        throw new OperatorError('The keys are with an outside signer, which gives no addresses on Solana.');
      if (pool !== undefined) writePool(pool, keys.solana);
      context.print({ ...keys, solana: pool === undefined ? keys.solana : [] }, { json, table: textOf });
    });
}

async function publicKeys(context: CommandContext, count: number): Promise<PublicKeys> {
  let keys = await askChain(context, getPublicKeys, { solana_from: 0, solana_count: Math.min(count, PAGE) });
  for (let from = PAGE; from < count; from += PAGE) {
    const asked = { solana_from: from, solana_count: Math.min(count - from, PAGE) };
    const { solana } = await askChain(context, getPublicKeys, asked);
    keys = { ...keys, solana: [...keys.solana, ...solana] };
  }
  return keys;
}

/** A file that is there is left alone: addresses that were given out stand in it. */
function writePool(file: string, addresses: readonly string[]): void {
  try {
    writeFileSync(file, addresses.map((address) => `${address}\n`).join(''), { flag: 'wx' });
  } catch (error) {
    const why = errorCode(error) === 'EEXIST' ? 'it is there already: name another file' : String(error);
    throw new OperatorError(`${file} was not written: ${why}.`);
  }
}

const textOf = ({ evm_parent, tron_parent, solana }: PublicKeys): string =>
  [
    `DEPOSIT_EVM_PARENT=${evm_parent}`,
    ...(tron_parent === null ? [] : [`DEPOSIT_TRON_PARENT=${tron_parent}`]),
    ...solana,
  ].join('\n');
