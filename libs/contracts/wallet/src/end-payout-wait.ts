import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { TransactionView } from './views';

/**
 * Asks the ledger, by its own clock, what time has brought a payout that waits: it is let go where it only had to wait, and
 * fails where it was not approved in time. `invalid_transition`: neither, or it waits no longer.
 */
export class EndPayoutWait extends MerchantCommand {
  /** The transaction's `id`. */
  @IsText({ max: 36 }) transaction: string;
}

export const endPayoutWait = operation({
  subject: 'wallet.end-payout-wait',
  answeredBy: 'shard',
  callers: ['payout'],
  request: EndPayoutWait,
  reply: replies<CommandReply<TransactionView>>(),
  errors: ['not_found', 'invalid_transition', 'idempotency_key_reused', 'idempotency_in_flight'],
});
