import { ResendEvent, resendEvent } from '@stablecoin/contracts/customer/resend-event';
import { EventWithDeliveriesView } from '@stablecoin/contracts/customer/webhook-views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { deliverAgain } from '@stablecoin/customer-store/events/record-events';
import { Handles } from '@stablecoin/messaging/handles';
import { takeEffectOnce } from '@stablecoin/persistence/command-log';
import { findEvent } from './event-rows';
import { DeliveryWorker } from '../webhooks/delivery-worker';

@Handles(resendEvent)
export class ResendEventHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly deliveries: DeliveryWorker,
  ) {}

  async execute(command: ResendEvent): Promise<CommandReply<EventWithDeliveriesView>> {
    const { merchant_id, event_id } = command;
    const reply = await takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      await findEvent(transaction, merchant_id, event_id);
      await deliverAgain(transaction, event_id);
      return findEvent(transaction, merchant_id, event_id);
    });
    this.deliveries.wake();
    return reply;
  }
}
