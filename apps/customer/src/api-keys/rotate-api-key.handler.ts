import { RotatedApiKeyView } from '@stablecoin/contracts/customer/api-key-views';
import { RotateApiKey, rotateApiKey } from '@stablecoin/contracts/customer/rotate-api-key';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal, takeEffectOnce } from '@stablecoin/persistence/command-log';
import { actedByPerson } from '../cases/acted-by-person';
import { merchantSeal, secretAnswerField } from '../webhooks/webhook-endpoints';
import { newKeyView } from './create-api-key.handler';
import { requireRotatable, withinQuota } from './member-keys';

@Handles(rotateApiKey)
export class RotateApiKeyHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly registry: MerchantRegistry,
    private readonly clock: Clock,
  ) {}

  async execute(command: RotateApiKey): Promise<CommandReply<RotatedApiKeyView>> {
    const { merchant_id, key_id: keyId, grace_hours: graceHours, person_id: signerId } = command;
    const seal = await asRefusal(() => merchantSeal(this.database, this.personalData, merchant_id));
    const { result, replayed } = await takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      await requireRotatable(transaction, this.registry, this.clock, command);
      const rotation = { graceHours, named: { keyId }, signerId };
      const rotated = await withinQuota(() =>
        this.registry.rotateKeyWithin(transaction, merchant_id, rotation, actedByPerson(command)),
      );
      const { replaced_key_id: replaces, previous_keys_expire_at: replaced_expires_at } = rotated;
      const view: RotatedApiKeyView = { ...newKeyView(rotated), replaces, replaced_expires_at };
      return { sealed_answer: seal.seal(secretAnswerField(command), view) };
    });
    return { result: seal.open<RotatedApiKeyView>(secretAnswerField(command), result.sealed_answer), replayed };
  }
}
