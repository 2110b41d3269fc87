import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { sandboxDeposit } from '../rails/sandbox-evidence';
import { EvmNetwork, isEvmNetwork } from '@stablecoin/chains/chains';
import { simulateChainDeposit } from '@stablecoin/contracts/chain/simulate-deposit';
import { SimulateDeposit, simulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import { HELD_DEPOSIT } from '@stablecoin/contracts/payout/simulate-deposit-outcome';
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { DEPOSIT_REFERENCE_FIELD, TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Handles } from '@stablecoin/messaging/handles';
import { Network } from '@stablecoin/money/currency';
import { sealText } from '@stablecoin/personal-data/sealed-text';
import { isEvmRailForTest, railFor } from '@stablecoin/service-host/payout-rails';
import { OwnerKeys } from '../owners/owner-keys';
import { PayoutConfiguration } from '../payout.configuration';

/**
 * The sandbox sees a deposit arrive. It takes effect in the ledger only, under the request's own command id; where
 * confirmations take time, the fact of the recorded deposit starts them (see payout-process/). One that is held has none.
 *
 * Where test merchants go by a chain, the faucet sends it there instead, and the watcher sees it arrive.
 */
@Handles(simulateDeposit)
export class SimulateDepositHandler {
  constructor(
    private readonly bus: BusClient,
    private readonly configuration: PayoutConfiguration,
    private readonly secret: CallerSecret,
    private readonly owners: OwnerKeys,
  ) {}

  async execute(command: SimulateDeposit): Promise<CommandReply<TransactionView>> {
    const network = await this.chainOf(command);
    return network === undefined ? this.record(command) : this.send(command, network);
  }

  private async record({ shard, ...deposit }: SimulateDeposit): Promise<CommandReply<TransactionView>> {
    const confirmed = this.configuration.sandboxConfirmMs === 0 && deposit.reference !== HELD_DEPOSIT;
    const command = { ...deposit, reference: await this.sealedReference(deposit, shard), confirmed };
    const evidence = signEvidence(this.secret, sandboxDeposit(command));
    return this.bus.call(recordDeposit, command, { shard, evidence });
  }

  /**
   * What a bank's sender writes may name anybody. In clear are the sandbox's own word, and what stands for a chain's name of its
   * transaction, which a chain shows to everyone.
   */
  private async sealedReference(
    { reference = null, ...deposit }: Omit<SimulateDeposit, 'shard'>,
    shard: number,
  ): Promise<string | null> {
    if (!reference || reference === HELD_DEPOSIT || deposit.network) return reference;
    const { merchant_id, wallet_id } = deposit;
    const { customer_id, addresses } = await this.bus.call(getWallet, { merchant_id, wallet_id }, { shard });
    if (addresses.length > 0) return reference;
    try {
      const { seal } = await this.owners.keyOf(merchant_id, customer_id);
      return sealText(seal, DEPOSIT_REFERENCE_FIELD, reference);
    } catch (error) {
      // An erased customer: the ledger refuses the deposit, or has recorded it before and answers with that.
      if (error instanceof Refusal && error.code === 'not_found') return null;
      throw error;
    }
  }

  /** A transfer of tokens carries no reference. */
  private send(
    { shard: _, reference: __, ...transfer }: SimulateDeposit,
    network: EvmNetwork,
  ): Promise<CommandReply<TransactionView>> {
    return this.bus.call(simulateChainDeposit, { ...transfer, network });
  }

  /** Undefined where the sandbox plays the rail, as it does for what is to be held: a chain holds nothing. */
  private async chainOf(command: SimulateDeposit): Promise<EvmNetwork | undefined> {
    const { reference, merchant_id, wallet_id, shard } = command;
    if (!isEvmRailForTest(this.configuration) || reference === HELD_DEPOSIT) return undefined;
    const { addresses } = await this.bus.call(getWallet, { merchant_id, wallet_id }, { shard });
    // As the ledger chooses. What it refuses, it refuses the sandbox's deposit as well.
    const network: Network | null | undefined = command.network ?? addresses[0]?.network;
    if (!network || !isEvmNetwork(network) || !addresses.some((address) => address.network === network))
      return undefined;
    return railFor(this.configuration, { network, isLive: false }) === 'evm' ? network : undefined;
  }
}
