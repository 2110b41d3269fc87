import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { ApiKeyView, ScopeAtConsole } from './api-key-views';

export class ListApiKeys extends MerchantRequest {}

export interface ListedApiKeys {
  /** Newest first, the ones that have ended as well; at most 1,000. */
  keys: ApiKeyView[];
  /** What a new key can be given: no more than the merchant's valid keys may together. */
  scopes: ScopeAtConsole[];
}

export const listApiKeys = operation({
  subject: 'customer.list-api-keys',
  readOnly: true,
  request: ListApiKeys,
  reply: replies<ListedApiKeys>(),
  errors: ['not_found'],
});
