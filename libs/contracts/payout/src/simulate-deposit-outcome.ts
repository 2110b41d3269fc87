import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { IsOneOf, IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

export const SIMULATED_DEPOSIT_OUTCOMES = ['complete', 'fail', 'reverse'] as const;
export type SimulatedDepositOutcome = (typeof SIMULATED_DEPOSIT_OUTCOMES)[number];

/** The reference of a deposit that stays PENDING until its outcome is set. */
export const HELD_DEPOSIT = 'sandbox:hold';

/** Sets what becomes of a deposit: it is final, was orphaned before, or is gone after that. Test keys only. */
export class SimulateDepositOutcome extends MerchantCommand {
  /** The transaction's `id`. */
  @IsUuid() id: string;
  @IsOneOf(SIMULATED_DEPOSIT_OUTCOMES) outcome: SimulatedDepositOutcome;
  /** The merchant's ledger shard. */
  @IsWholeNumberBetween(0, 32_767) shard: number;
}

export const simulateDepositOutcome = operation({
  subject: 'payout.simulate-deposit-outcome',
  provesRequest: true,
  request: SimulateDepositOutcome,
  reply: replies<CommandReply<TransactionView>>(),
  errors: ['not_found', 'invalid_transition', 'idempotency_key_reused', 'idempotency_in_flight'],
});
