import { DescribeSigner, describeSigner, type SignerDescription } from '@stablecoin/contracts/signer/describe';
import { Handles } from '@stablecoin/messaging/handles';
import { TransactionKeys } from '../keys/transaction-keys';
import { SignerConfiguration } from '../signer.configuration';

/** What everyone may know of the keys. The hot wallet has one address on all EVM networks. */
@Handles(describeSigner)
export class DescribeSignerHandler {
  constructor(
    private readonly keys: TransactionKeys,
    private readonly configuration: SignerConfiguration,
  ) {}

  execute({ solana_from = 0, solana_count = 0 }: DescribeSigner): Promise<SignerDescription> {
    const { hot, evmParent, other } = this.keys;
    return Promise.resolve({
      hot: { erc20: hot, bep20: hot, polygon: hot },
      cold: this.configuration.coldAddress,
      evm_parent: evmParent,
      tron_parent: other.tronParent,
      solana: other.solanaAddresses(solana_from, solana_count),
    });
  }
}
