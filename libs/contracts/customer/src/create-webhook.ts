import { IsSomeOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { IsKeyMode, KeyMode } from './key-mode';
import { IsWebhookUrl } from './webhook-url';
import { EVENT_TYPES, EventType, NewWebhookView } from './webhook-views';

/** Adds an endpoint to which the merchant's events are delivered. */
export class CreateWebhook extends MerchantCommand {
  @IsWebhookUrl() url: string;
  /** All types when absent. */
  @Optional() @IsSomeOf(EVENT_TYPES) events?: EventType[] | null;
  @OptionalText({ max: 255 }) description?: string | null;
  /** A test key's endpoint may be on this machine. */
  @IsKeyMode() key_mode: KeyMode;
}

export const createWebhook = operation({
  subject: 'customer.create-webhook',
  request: CreateWebhook,
  reply: replies<CommandReply<NewWebhookView>>(),
  errors: ['webhook_limit_reached', 'idempotency_key_reused', 'idempotency_in_flight'],
});
