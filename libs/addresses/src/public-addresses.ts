import type { HDKey } from '@scure/bip32';
import type { Network } from '@stablecoin/money/currency';
import { type DerivesAddresses, evmChild, requireIndex, tronChild, unknownNetwork } from './derive-address';

/** A network for which no more addresses can be given out until somebody provides them. */
export class AddressesExhausted extends Error {
  constructor(readonly network: Network) {
    super(`there is no deposit address left on ${network}`);
  }
}

export interface PublicParents {
  /** Of m/44'/60'/0'/0. */
  evmParent: HDKey;
  /** Of m/44'/195'/0'/0; without it there are no addresses on Tron. */
  tronParent: HDKey | null;
  /** By index: Solana has no public derivation, so that they are made where the seed is. */
  solanaPool: readonly string[];
}

/**
 * The same addresses as `DepositAddresses` gives for the seed of these parents, without anything that can sign for them:
 * who reads this process takes no money.
 */
export class PublicDepositAddresses implements DerivesAddresses {
  constructor(private readonly parents: PublicParents) {}

  /** @throws AddressesExhausted where the parent is not there, or the pool is at its end */
  derive(network: Network, index: number): string {
    requireIndex(index);
    const { evmParent, tronParent, solanaPool } = this.parents;
    switch (network) {
      case 'erc20':
      case 'bep20':
      case 'polygon':
        return evmChild(evmParent, index);
      case 'trc20':
        if (tronParent === null) throw new AddressesExhausted(network);
        return tronChild(tronParent, index);
      case 'solana': {
        const address = solanaPool[index];
        if (address === undefined) throw new AddressesExhausted(network);
        return address;
      }
      default:
        return unknownNetwork(network);
    }
  }
}
