import { IsOneOf, IsSomeOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { Kept } from './address';
import { IsKeyMode, KeyMode } from './key-mode';
import { IsWebhookUrl } from './webhook-url';
import { EVENT_TYPES, EventType, WEBHOOK_STATUSES, WebhookStatus, WebhookView } from './webhook-views';

/**
 * Every field may be absent and then stays as it is; null as `events` means all types again. What happens while a
 * webhook is disabled is not sent to it, also not later; its events can be resent.
 */
export class UpdateWebhook extends MerchantCommand {
  @IsUuid() webhook_id: string;
  @Kept(IsWebhookUrl()) url?: string;
  @Optional() @IsSomeOf(EVENT_TYPES) events?: EventType[] | null;
  @OptionalText({ max: 255 }) description?: string | null;
  @Kept(IsOneOf(WEBHOOK_STATUSES)) status?: WebhookStatus;
  /** A test key's endpoint may be on this machine. */
  @IsKeyMode() key_mode: KeyMode;
}

export const updateWebhook = operation({
  subject: 'customer.update-webhook',
  request: UpdateWebhook,
  reply: replies<CommandReply<WebhookView>>(),
  errors: ['not_found', 'idempotency_key_reused', 'idempotency_in_flight'],
});
