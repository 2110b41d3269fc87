import { EVM_NETWORKS, type EvmNetwork } from '@stablecoin/chains/chains';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { IsAmount } from '@stablecoin/contracts/wire/fields/amount';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

/** A transfer of test money from the faucet to a wallet's address. */
export class SimulateChainDeposit extends MerchantCommand {
  @IsUuid() wallet_id: string;
  @IsOneOf(EVM_NETWORKS, 'unsupported_network') network: EvmNetwork;
  @IsAmount() amount: string;
}

/**
 * Sends it, once per command, and answers as soon as the watcher has seen it: with the deposit as it was recorded, PENDING.
 * `unavailable` where that takes longer than the request may: the same command again waits on, for the same transfer.
 */
export const simulateChainDeposit = operation({
  subject: 'chain.simulate-deposit',
  request: SimulateChainDeposit,
  reply: replies<CommandReply<TransactionView>>(),
  errors: ['not_found', 'customer_closed', 'idempotency_key_reused', 'idempotency_in_flight'],
});
