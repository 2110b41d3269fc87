import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { EventWithDeliveriesView } from './webhook-views';

/**
 * Sends an event again, under the same id, to every enabled endpoint that takes its type now, whatever became of it
 * before; the schedule of attempts begins anew.
 */
export class ResendEvent extends MerchantCommand {
  @IsUuid() event_id: string;
}

export const resendEvent = operation({
  subject: 'customer.resend-event',
  request: ResendEvent,
  reply: replies<CommandReply<EventWithDeliveriesView>>(),
  errors: ['not_found', 'idempotency_key_reused', 'idempotency_in_flight'],
});
