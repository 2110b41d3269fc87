import { NewApiKeyView } from '@stablecoin/contracts/customer/api-key-views';
import { CreateApiKey, createApiKey } from '@stablecoin/contracts/customer/create-api-key';
import { ApiKeyScope } from '@stablecoin/contracts/customer/resolve-api-key';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal, takeEffectOnce } from '@stablecoin/persistence/command-log';
import { actedByPerson } from '../cases/acted-by-person';
import { merchantSeal, secretAnswerField } from '../webhooks/webhook-endpoints';
import { requireGrantable } from './member-keys';

@Handles(createApiKey)
export class CreateApiKeyHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly registry: MerchantRegistry,
  ) {}

  async execute(command: CreateApiKey): Promise<CommandReply<NewApiKeyView>> {
    const { merchant_id, name, scopes, allowed_addresses: allowedAddresses = [], person_id: signerId } = command;
    const seal = await asRefusal(() => merchantSeal(this.database, this.personalData, merchant_id));
    const { result, replayed } = await takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      await requireGrantable(transaction, this.registry, merchant_id, scopes);
      const key = { name, scopes, allowedAddresses, signerId };
      const added = await this.registry.addKeyWithin(transaction, merchant_id, key, actedByPerson(command));
      return { sealed_answer: seal.seal(secretAnswerField(command), newKeyView(added)) };
    });
    return { result: seal.open<NewApiKeyView>(secretAnswerField(command), result.sealed_answer), replayed };
  }
}

interface MadeKey {
  key_id: string;
  api_key: string;
  scopes: string[];
  allowed_addresses: string[];
}

export const newKeyView = ({ key_id, api_key, scopes, allowed_addresses }: MadeKey): NewApiKeyView => ({
  ...{ id: key_id, scopes: scopes as ApiKeyScope[], allowed_addresses, api_key },
});
