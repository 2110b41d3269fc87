import { IsSha256 } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsNested } from '@stablecoin/contracts/wire/fields/nested';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { RequestSigner } from './request-signer';
import { TransactionView } from './views';

/** One signer's approval of exactly what a payout that waits is going to send; a person's goes with what their passkey signed. */
export class ApprovePayout extends MerchantCommand {
  /** The transaction's `id`, or its 10-character `transaction_id`. */
  @IsText({ max: 36 }) transaction: string;
  /** The payout's, as it was shown. */
  @IsSha256() approval_hash: string;
  @IsNested(() => RequestSigner) signer: RequestSigner;
}

export const approvePayout = operation({
  subject: 'wallet.approve-payout',
  answeredBy: 'shard',
  callers: ['gateway', 'backoffice'],
  request: ApprovePayout,
  reply: replies<CommandReply<TransactionView>>(),
  errors: [
    ...(['not_found', 'invalid_transition', 'approver_not_allowed', 'approval_mismatch'] as const),
    ...(['idempotency_key_reused', 'idempotency_in_flight'] as const),
  ],
});
