import { IsAddressRangeList } from '@stablecoin/contracts/wire/fields/address-range';
import { IsSomeOf } from '@stablecoin/contracts/wire/fields/choice';
import { IfPresent } from '@stablecoin/contracts/wire/fields/field';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { NewApiKeyView, ScopeAtConsole, SCOPES_AT_CONSOLE } from './api-key-views';
import { PersonsCommand } from './persons-command';

const NAME_CHARACTERS_MAX = 100;
const ALLOWED_ADDRESSES_MAX = 50;

/** A further key, of the merchant's mode. The person who makes it approves no payout that it creates. */
export class CreateApiKey extends PersonsCommand {
  @IsText({ max: NAME_CHARACTERS_MAX }) name: string;
  @IsSomeOf(SCOPES_AT_CONSOLE) scopes: ScopeAtConsole[];
  @IfPresent() @IsAddressRangeList(ALLOWED_ADDRESSES_MAX) allowed_addresses?: string[];
}

export const createApiKey = operation({
  subject: 'customer.create-api-key',
  request: CreateApiKey,
  reply: replies<CommandReply<NewApiKeyView>>(),
  errors: ['not_found', 'idempotency_key_reused', 'idempotency_in_flight'],
});
