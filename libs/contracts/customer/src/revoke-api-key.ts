import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { PersonsCommand } from './persons-command';

/** Ends a key at once; a second time leaves the first. */
export class RevokeApiKey extends PersonsCommand {
  @IsUuid() key_id: string;
}

export const revokeApiKey = operation({
  subject: 'customer.revoke-api-key',
  request: RevokeApiKey,
  reply: replies<CommandReply<{ id: string; revoked_at: string | null }>>(),
  errors: ['not_found', 'idempotency_key_reused', 'idempotency_in_flight'],
});
