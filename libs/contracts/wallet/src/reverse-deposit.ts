import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { TransactionView } from './views';

/** The rail's transfer was undone after it had been final: a COMPLETED deposit becomes REVERSED, and its money leaves the wallet. */
export class ReverseDeposit extends MerchantCommand {
  /** The transaction's `id`. */
  @IsUuid() id: string;
}

export const reverseDeposit = operation({
  subject: 'wallet.reverse-deposit',
  answeredBy: 'shard',
  callers: ['payout', 'chain'],
  request: ReverseDeposit,
  reply: replies<CommandReply<TransactionView>>(),
  errors: ['not_found', 'invalid_transition', 'idempotency_key_reused', 'idempotency_in_flight'],
});
