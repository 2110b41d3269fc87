import { readFileSync } from 'node:fs';
import { DepositAddresses, DerivesAddresses } from '@stablecoin/addresses/derive-address';
import { PublicDepositAddresses } from '@stablecoin/addresses/public-addresses';
import { isAddress } from '@stablecoin/addresses/validate-address';
import { ConfigurationError } from '@stablecoin/service-host/setting';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';

export type AddressSettings = Pick<
  WalletLedgerConfiguration,
  'depositSeed' | 'depositEvmParent' | 'depositTronParent' | 'depositSolanaPool'
>;

/** @throws ConfigurationError unless either the seed or public parents are given, or where the pool can't be read */
export function configuredAddresses(settings: AddressSettings): DerivesAddresses {
  const { depositSeed, depositEvmParent, depositTronParent, depositSolanaPool } = settings;
  if (depositSeed) {
    if (depositEvmParent ?? depositTronParent ?? depositSolanaPool)
      throw new ConfigurationError(
        'DEPOSIT_SEED is set beside public parents of addresses: take the seed away from here.',
      );
    return new DepositAddresses(depositSeed);
  }
  if (!depositEvmParent)
    throw new ConfigurationError(
      'DEPOSIT_EVM_PARENT: expected it, or DEPOSIT_SEED, to be set; wallets need addresses.',
    );
  return new PublicDepositAddresses({
    evmParent: depositEvmParent,
    tronParent: depositTronParent,
    solanaPool: depositSolanaPool ? readPool(depositSolanaPool) : [],
  });
}

/** One address a line, the first of index 0; a line that is wrong would be money without a key. */
function readPool(file: string): string[] {
  const lines = textOf(file).trimEnd().split('\n');
  const wrong = lines.findIndex((line) => !isAddress('solana', line));
  if (wrong >= 0)
    throw new ConfigurationError(`DEPOSIT_SOLANA_POOL: line ${wrong + 1} of ${file} is no address of Solana.`);
  if (new Set(lines).size < lines.length)
    throw new ConfigurationError(`DEPOSIT_SOLANA_POOL: ${file} has an address twice.`);
  return lines;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new ConfigurationError(`DEPOSIT_SOLANA_POOL: ${file} can't be read.`);
  }
}
