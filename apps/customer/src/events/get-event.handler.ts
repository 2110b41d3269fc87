import { GetEvent, getEvent } from '@stablecoin/contracts/customer/get-event';
import { EventWithDeliveriesView } from '@stablecoin/contracts/customer/webhook-views';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { MerchantReads } from '@stablecoin/persistence/merchant-reads';
import { findEvent } from '@stablecoin/customer-store/events/event-rows';

@Handles(getEvent)
export class GetEventHandler {
  constructor(
    private readonly reads: MerchantReads,
    private readonly personalData: PersonalData,
  ) {}

  execute({ merchant_id, event_id }: GetEvent): Promise<EventWithDeliveriesView> {
    return asRefusal(() => findEvent(this.reads.of(merchant_id), this.personalData, merchant_id, event_id));
  }
}
