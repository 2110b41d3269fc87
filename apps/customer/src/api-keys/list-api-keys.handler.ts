import { ApiKeyView } from '@stablecoin/contracts/customer/api-key-views';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { ListApiKeys, listApiKeys, ListedApiKeys } from '@stablecoin/contracts/customer/list-api-keys';
import { ApiKeyScope } from '@stablecoin/contracts/customer/resolve-api-key';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { ListedApiKey, MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { grantable } from './member-keys';

@Handles(listApiKeys)
export class ListApiKeysHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly registry: MerchantRegistry,
  ) {}

  async execute({ merchant_id }: ListApiKeys): Promise<ListedApiKeys> {
    return asRefusal(async () => {
      // A merchant is made together with its first key.
      const known = await this.database.merchant.findUnique({ where: { id: merchant_id }, select: { id: true } });
      if (!known) throw new Refusal('not_found');
      const keys = await this.registry.listKeys(merchant_id);
      const valid = await this.registry.validKeys(this.database, merchant_id);
      return { keys: keys.map(keyView), scopes: grantable(valid) };
    });
  }
}

const keyView = ({ key_id, mode, scopes, signer_id: _, ...key }: ListedApiKey): ApiKeyView => ({
  id: key_id,
  ...key,
  mode: mode as KeyMode,
  scopes: scopes as ApiKeyScope[],
});
