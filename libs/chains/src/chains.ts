import type { Network } from '@stablecoin/money/currency';

/** The networks that are EVM chains. */
export const EVM_NETWORKS = ['erc20', 'bep20', 'polygon'] as const satisfies readonly Network[];
export type EvmNetwork = (typeof EVM_NETWORKS)[number];

interface Chain {
  readonly network: EvmNetwork;
  /** EIP-155; signed into every transaction, so that none is valid on another chain. */
  readonly chainId: number;
  readonly name: string;
  /** The coin in which fees are paid; 18 decimals on each of them. */
  readonly nativeCoin: string;
}

/** Chain ids as chainlist.org and EIP-155 list them. */
export const CHAINS: Readonly<Record<EvmNetwork, Chain>> = {
  erc20: { network: 'erc20', chainId: 1, name: 'Ethereum', nativeCoin: 'ETH' },
  bep20: { network: 'bep20', chainId: 56, name: 'BNB Smart Chain', nativeCoin: 'BNB' },
  polygon: { network: 'polygon', chainId: 137, name: 'Polygon', nativeCoin: 'POL' },
};

export const isEvmNetwork = (network: Network): network is EvmNetwork =>
  (EVM_NETWORKS as readonly Network[]).includes(network);

/** Of all EVM chains: 32 bytes in hex, with 0x. */
export const isTransactionHash = (text: string): boolean => /^0x[0-9a-f]{64}$/i.test(text);
