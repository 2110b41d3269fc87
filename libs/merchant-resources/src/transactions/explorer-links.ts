import { EvmNetwork, isEvmNetwork, isTransactionHash } from '@stablecoin/chains/chains';
import { payoutReference, sandboxRailReference } from '@stablecoin/contracts/payout/rail-references';
import { TransactionView } from '@stablecoin/contracts/wallet/views';

type Shown = Pick<TransactionView, 'id' | 'network' | 'transaction_type' | 'crypto_transaction_id'>;

/** By network, with `{hash}` for the transaction; null for no link. */
export interface ExplorerSettings {
  readonly explorerUrlErc20: string | null;
  readonly explorerUrlBep20: string | null;
  readonly explorerUrlPolygon: string | null;
}

/** Where a person looks at a transaction of a chain. */
export class ExplorerLinks {
  private readonly templates: Readonly<Record<EvmNetwork, string | null>>;

  constructor({ explorerUrlErc20, explorerUrlBep20, explorerUrlPolygon }: ExplorerSettings) {
    this.templates = { erc20: explorerUrlErc20, bep20: explorerUrlBep20, polygon: explorerUrlPolygon };
  }

  /** Null for what is on no chain, such as what the sandbox's rail calls a payout. */
  urlOf({ id, network, transaction_type, crypto_transaction_id: hash }: Shown): string | null {
    if (network === null || !isEvmNetwork(network) || hash === null || !isTransactionHash(hash)) return null;
    if (transaction_type === 'PAYOUT' && hash === sandboxRailReference(payoutReference(id), network)) return null;
    return this.templates[network]?.replace('{hash}', hash) ?? null;
  }
}
