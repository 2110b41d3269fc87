import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { IsWholeNumberBetween, IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

export const SIMULATED_OUTCOMES = ['complete', 'fail', 'return'] as const;
export type SimulatedOutcome = (typeof SIMULATED_OUTCOMES)[number];

/** Sets the outcome of a payout on the sandbox rail, before its own timer does. Test keys only. */
export class SimulatePayoutOutcome extends MerchantCommand {
  /** The transaction's `id`, or its 10-character `transaction_id`. */
  @IsText({ max: 36 }) transaction: string;
  @IsOneOf(SIMULATED_OUTCOMES) outcome: SimulatedOutcome;
  /** The merchant's ledger shard. */
  @IsWholeNumberBetween(0, 32_767) shard: number;
}

export const simulatePayoutOutcome = operation({
  subject: 'payout.simulate-payout-outcome',
  provesRequest: true,
  request: SimulatePayoutOutcome,
  reply: replies<CommandReply<TransactionView>>(),
  errors: ['not_found', 'invalid_transition', 'idempotency_key_reused', 'idempotency_in_flight'],
});
