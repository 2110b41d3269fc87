import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { GetEvent } from '@stablecoin/contracts/customer/get-event';
import { EventWithDeliveriesView } from '@stablecoin/contracts/customer/webhook-views';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { findEvent } from '../../events/event-rows';

@QueryHandler(GetEvent)
export class GetEventHandler implements IQueryHandler<GetEvent, EventWithDeliveriesView> {
  constructor(private readonly database: CustomerDatabase) {}

  execute({ merchant_id, event_id }: GetEvent): Promise<EventWithDeliveriesView> {
    return asRefusal(() => findEvent(this.database, merchant_id, event_id));
  }
}
