import { isAddress } from '@stablecoin/addresses/validate-address';
import { EVM_NETWORKS, EvmNetwork, isTransactionHash } from '@stablecoin/chains/chains';
import { InvalidArgumentError, Option } from 'commander';

const BLOCK_MAX = 999_999_999_999;

export function network(value: string): EvmNetwork {
  const found = EVM_NETWORKS.find((each) => each === value);
  if (found) return found;
  throw new InvalidArgumentError(`It must be one of ${EVM_NETWORKS.join(', ')}.`);
}

export const networkOption = (about: string): Option => new Option('--network <name>', about).argParser(network);

export function blockNumber(value: string): number {
  if (/^\d{1,12}$/.test(value) && Number(value) <= BLOCK_MAX) return Number(value);
  throw new InvalidArgumentError('It must be the number of a block.');
}

export function transactionHash(value: string): string {
  if (isTransactionHash(value)) return value.toLowerCase();
  throw new InvalidArgumentError('It must be the hash of a transaction: 0x and 64 hexadecimal digits.');
}

/** Of one of our own addresses, which no one types by heart: as a log or a list shows it. */
export function ourAddress(value: string): string {
  if (isAddress('erc20', value)) return value;
  throw new InvalidArgumentError('It must be an address: 0x and 40 hexadecimal digits.');
}

const SOLANA_MAX = 1_000_000;
export const solanaCount = (value: string): number => wholeNumberFrom(0, SOLANA_MAX)(value);

const PAGE_MAX = 999_999_999;
const LIMIT_MAX = 100;
export const PAGE = ['--page <number>', 'which page', wholeNumberFrom(1, PAGE_MAX), 1] as const;
export const LIMIT = [
  '--limit <number>',
  `how many on a page, up to ${LIMIT_MAX}`,
  wholeNumberFrom(1, LIMIT_MAX),
  20,
] as const;

function wholeNumberFrom(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    if (/^\d{1,9}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum) return Number(value);
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}
