import { GetPublicKeys, getPublicKeys, PublicKeys } from '@stablecoin/contracts/chain/get-public-keys';
import { describeSigner } from '@stablecoin/contracts/signer/describe';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Handles } from '@stablecoin/messaging/handles';

/** Operators do not reach the signer, which answers to this service alone. */
@Handles(getPublicKeys)
export class GetPublicKeysHandler {
  constructor(private readonly bus: BusClient) {}

  async execute(asked: GetPublicKeys): Promise<PublicKeys> {
    const { evm_parent, tron_parent, solana } = await this.bus.call(describeSigner, asked);
    return { evm_parent, tron_parent, solana };
  }
}
