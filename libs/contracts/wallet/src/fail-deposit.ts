import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { TransactionView } from './views';

/** The rail's transfer never became final: a PENDING deposit becomes FAILED, and no money moves. */
export class FailDeposit extends MerchantCommand {
  /** The transaction's `id`. */
  @IsUuid() id: string;
}

export const failDeposit = operation({
  subject: 'wallet.fail-deposit',
  answeredBy: 'shard',
  callers: ['payout', 'chain'],
  request: FailDeposit,
  reply: replies<CommandReply<TransactionView>>(),
  errors: ['not_found', 'invalid_transition', 'idempotency_key_reused', 'idempotency_in_flight'],
});
