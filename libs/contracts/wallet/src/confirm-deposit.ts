import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { TransactionView } from './views';

/** The rail has enough confirmations: a PENDING deposit becomes COMPLETED and its money spendable. */
export class ConfirmDeposit extends MerchantCommand {
  /** The transaction's `id`. */
  @IsUuid() id: string;
}

export const confirmDeposit = operation({
  subject: 'wallet.confirm-deposit',
  answeredBy: 'shard',
  callers: ['payout', 'chain'],
  request: ConfirmDeposit,
  reply: replies<CommandReply<TransactionView>>(),
  errors: ['not_found', 'invalid_transition', 'idempotency_key_reused', 'idempotency_in_flight'],
});
