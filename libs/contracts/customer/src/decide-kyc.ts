import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { IsCaseReason } from './case-reason';
import { PersonsCommand } from './persons-command';

export const KYC_DECISIONS = ['under_review', 'approved', 'rejected'] as const;
export type KycDecision = (typeof KYC_DECISIONS)[number];

/** The outcome of a review, as one of the operator's people has decided. */
export class DecideKyc extends PersonsCommand {
  @IsUuid() customer_id: string;
  @IsOneOf(KYC_DECISIONS) kyc_status: KycDecision;
  @IsCaseReason() reason: string;
}

export const decideKyc = operation({
  subject: 'customer.decide-kyc',
  request: DecideKyc,
  reply: replies<CommandReply<{ customer_id: string; kyc_status: string }>>(),
  errors: ['not_found', 'idempotency_key_reused', 'idempotency_in_flight'],
});
