import { ResendEvent, resendEvent } from '@stablecoin/contracts/customer/resend-event';
import { EventWithDeliveriesView } from '@stablecoin/contracts/customer/webhook-views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { deliverAgain } from '@stablecoin/customer-store/events/record-events';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { openAnswer, storedAnswer } from '@stablecoin/customer-store/webhooks/webhook-url';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal, takeEffectOnce } from '@stablecoin/persistence/command-log';
import { findEvent } from '@stablecoin/customer-store/events/event-rows';
import { merchantSeal } from '../webhooks/webhook-endpoints';
import { DeliveryWorker } from '../webhooks/delivery-worker';

@Handles(resendEvent)
export class ResendEventHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly deliveries: DeliveryWorker,
  ) {}

  async execute(command: ResendEvent): Promise<CommandReply<EventWithDeliveriesView>> {
    const { merchant_id, event_id } = command;
    const seal = await asRefusal(() => merchantSeal(this.database, this.personalData, merchant_id));
    const { result, replayed } = await takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      await findEvent(transaction, this.personalData, merchant_id, event_id);
      await deliverAgain(transaction, event_id);
      const event = await findEvent(transaction, this.personalData, merchant_id, event_id);
      return storedAnswer(transaction, seal, command.command_id, event);
    });
    this.deliveries.wake();
    return { result: openAnswer(seal, command.command_id, result), replayed };
  }
}
