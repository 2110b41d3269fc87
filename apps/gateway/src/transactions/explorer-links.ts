import { Injectable } from '@nestjs/common';
import { EvmNetwork, isEvmNetwork, isTransactionHash } from '@stablecoin/chains/chains';
import { payoutReference, sandboxRailReference } from '@stablecoin/contracts/payout/rail-references';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { GatewayConfiguration } from '../gateway.configuration';

type Shown = Pick<TransactionView, 'id' | 'network' | 'transaction_type' | 'crypto_transaction_id'>;

/** Where a person looks at a transaction of a chain. */
@Injectable()
export class ExplorerLinks {
  private readonly templates: Readonly<Record<EvmNetwork, string | null>>;

  constructor({ explorerUrlErc20, explorerUrlBep20, explorerUrlPolygon }: GatewayConfiguration) {
    this.templates = { erc20: explorerUrlErc20, bep20: explorerUrlBep20, polygon: explorerUrlPolygon };
  }

  /** Null for what is on no chain, such as what the sandbox's rail calls a payout. */
  urlOf({ id, network, transaction_type, crypto_transaction_id: hash }: Shown): string | null {
    if (network === null || !isEvmNetwork(network) || hash === null || !isTransactionHash(hash)) return null;
    if (transaction_type === 'PAYOUT' && hash === sandboxRailReference(payoutReference(id), network)) return null;
    return this.templates[network]?.replace('{hash}', hash) ?? null;
  }
}
