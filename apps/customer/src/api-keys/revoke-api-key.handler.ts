import { RevokeApiKey, revokeApiKey } from '@stablecoin/contracts/customer/revoke-api-key';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { Handles } from '@stablecoin/messaging/handles';
import { takeEffectOnce } from '@stablecoin/persistence/command-log';
import { actedByPerson } from '../cases/acted-by-person';
import { findKey } from './member-keys';

@Handles(revokeApiKey)
export class RevokeApiKeyHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly registry: MerchantRegistry,
  ) {}

  execute(command: RevokeApiKey) {
    const { merchant_id, key_id: keyId } = command;
    return takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      await findKey(transaction, merchant_id, keyId);
      const by = actedByPerson(command);
      const { revoked_at } = await this.registry.revokeKeyWithin(transaction, merchant_id, { keyId }, by);
      return { id: keyId, revoked_at };
    });
  }
}
