import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsLimit, IsPage, Page } from '@stablecoin/contracts/wire/fields/paging';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { ALL_EVENT_TYPES, EventView } from './webhook-views';

/** Newest first. */
export class ListEvents extends MerchantRequest {
  @Optional() @IsOneOf(ALL_EVENT_TYPES) type?: EventView['type'];
  @IsPage() page = 1;
  @IsLimit() limit = 20;
}

export const listEvents = operation({
  subject: 'customer.list-events',
  readOnly: true,
  request: ListEvents,
  reply: replies<Page<EventView>>(),
  errors: [],
});
