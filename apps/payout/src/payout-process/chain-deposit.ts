import { isEvmNetwork, isTransactionHash } from '@stablecoin/chains/chains';
import { Network } from '@stablecoin/money/currency';

/**
 * Whether a deposit came over a chain: it is money, and who watches that chain says what becomes of it. A deposit of the sandbox
 * may have any text as its name, but for one that is written like a transaction of such a chain.
 */
export const cameOverChain = (network: Network | null, name: string | null | undefined): boolean =>
  network !== null && isEvmNetwork(network) && isTransactionHash(name ?? '');
