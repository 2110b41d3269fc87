import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { TransactionView } from './views';

export const PAYOUT_RESOLUTIONS = ['COMPLETED', 'FAILED', 'REVERSED'] as const;
export type PayoutResolution = (typeof PAYOUT_RESOLUTIONS)[number];

/**
 * What the rail says of a payout: PENDING → COMPLETED or FAILED, COMPLETED → REVERSED; anything else is
 * `invalid_transition`.
 */
export class ResolvePayout extends MerchantCommand {
  /** The transaction's `id`, or its 10-character `transaction_id`. */
  @IsText({ max: 36 }) transaction: string;
  @IsOneOf(PAYOUT_RESOLUTIONS) resolution: PayoutResolution;
  /** The rail's own reference: a bank's for bank payouts, the chain's transaction hash for wallet payouts. */
  @Optional() @IsText({ max: 255 }) rail_reference?: string | null;
}

export const resolvePayout = operation({
  subject: 'wallet.resolve-payout',
  answeredBy: 'shard',
  callers: ['payout'],
  request: ResolvePayout,
  reply: replies<CommandReply<TransactionView>>(),
  errors: ['not_found', 'rail_unavailable', 'invalid_transition', 'idempotency_key_reused', 'idempotency_in_flight'],
});
