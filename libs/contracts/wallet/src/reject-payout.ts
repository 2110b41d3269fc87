import { IsNested } from '@stablecoin/contracts/wire/fields/nested';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { RequestSigner } from './request-signer';
import { TransactionView } from './views';

/** Ends a payout that waits: it fails, and its money is back in the wallet. */
export class RejectPayout extends MerchantCommand {
  /** The transaction's `id`, or its 10-character `transaction_id`. */
  @IsText({ max: 36 }) transaction: string;
  @IsNested(() => RequestSigner) signer: RequestSigner;
}

export const rejectPayout = operation({
  subject: 'wallet.reject-payout',
  answeredBy: 'shard',
  callers: ['gateway', 'backoffice'],
  request: RejectPayout,
  reply: replies<CommandReply<TransactionView>>(),
  errors: [
    ...(['not_found', 'invalid_transition', 'approver_not_allowed'] as const),
    ...(['idempotency_key_reused', 'idempotency_in_flight'] as const),
  ],
});
