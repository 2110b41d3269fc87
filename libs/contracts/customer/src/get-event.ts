import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { EventWithDeliveriesView } from './webhook-views';

/** One event, and how it fared at each endpoint. */
export class GetEvent extends MerchantRequest {
  @IsUuid() event_id: string;
}

export const getEvent = operation({
  subject: 'customer.get-event',
  readOnly: true,
  request: GetEvent,
  reply: replies<EventWithDeliveriesView>(),
  errors: ['not_found'],
});
