import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { GRACE_HOURS_MAX, RotatedApiKeyView } from './api-key-views';
import { PersonsCommand } from './persons-command';

/** A new key with the scopes and addresses of the named one, which stays valid for the hours of grace, or for less. */
export class RotateApiKey extends PersonsCommand {
  @IsUuid() key_id: string;
  @IsWholeNumberBetween(0, GRACE_HOURS_MAX) grace_hours: number;
}

export const rotateApiKey = operation({
  subject: 'customer.rotate-api-key',
  request: RotateApiKey,
  reply: replies<CommandReply<RotatedApiKeyView>>(),
  errors: ['not_found', 'idempotency_key_reused', 'idempotency_in_flight'],
});
