import { IsNested } from '@stablecoin/contracts/wire/fields/nested';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { PolicyTerms } from './policy-terms';
import { PolicyView } from './policy-view';

/**
 * In place of the policy before, if there was one. Payouts that wait already wait as they were judged. `invalid_transition`: the number
 * that is stated with it is not the next one.
 */
export class ChangePolicy extends MerchantCommand {
  @IsNested(() => PolicyTerms) policy: PolicyTerms;
  @IsText({ max: 100 }) changed_by: string;
  @IsText({ max: 500 }) reason: string;
}

export const changePolicy = operation({
  subject: 'wallet.change-policy',
  answeredBy: 'shard',
  callers: ['operator'],
  request: ChangePolicy,
  reply: replies<CommandReply<PolicyView>>(),
  errors: ['idempotency_key_reused', 'idempotency_in_flight', 'invalid_transition'],
});
