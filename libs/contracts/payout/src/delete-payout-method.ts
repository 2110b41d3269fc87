import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

/** A customer's method is deleted only by naming that customer; a wrong or missing owner is `not_found`. */
export class DeletePayoutMethod extends MerchantCommand {
  @IsUuid() payout_method_id: string;
  @Optional() @IsUuid() customer_id?: string | null;
}

export const deletePayoutMethod = operation({
  subject: 'payout.delete-payout-method',
  request: DeletePayoutMethod,
  reply: replies<CommandReply<{ customer_id: string | null }>>(),
  errors: ['not_found', 'idempotency_key_reused', 'idempotency_in_flight'],
});
