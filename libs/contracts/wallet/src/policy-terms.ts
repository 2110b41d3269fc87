import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { IsAmount } from '@stablecoin/contracts/wire/fields/amount';
import { IsOneOf, IsTrueOrFalse, IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IsCurrency } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsNested, IsNestedList } from '@stablecoin/contracts/wire/fields/nested';

export const LIMITED = ['merchant', 'customer', 'destination'] as const;
export const LIMIT_PERIODS = ['payment', 'hour', 'day', 'month'] as const;
const LIMITS_MAX = 100;
const COUNT_MAX = 1_000_000;
const APPROVERS_MAX = 10;
export const POLICY_SECONDS_MAX = 30 * 86_400;

export class PolicyLimit {
  @IsCurrency() currency: Currency;
  @IsOneOf(LIMITED) per: (typeof LIMITED)[number];
  @IsOneOf(LIMIT_PERIODS) within: (typeof LIMIT_PERIODS)[number];
  @Optional() @IsAmount() amount?: string | null;
  @Optional() @IsWholeNumberBetween(0, COUNT_MAX) count?: number | null;
}

export class ApprovalAbove {
  @IsCurrency() currency: Currency;
  @IsAmount() amount: string;
}

export class PolicyApproval {
  @IsNestedList(() => ApprovalAbove, LIMITS_MAX) above: ApprovalAbove[];
  @IsTrueOrFalse() new_destination: boolean;
  @IsTrueOrFalse() new_rail: boolean;
  @IsWholeNumberBetween(1, APPROVERS_MAX) approvers: number;
  @IsWholeNumberBetween(1, POLICY_SECONDS_MAX) expires_after_seconds: number;
}

/** A merchant's whole policy: what it does not name does not go out. */
export class PolicyTerms {
  @IsNestedList(() => PolicyLimit, LIMITS_MAX) limits: PolicyLimit[];
  @IsWholeNumberBetween(0, POLICY_SECONDS_MAX) new_destination_wait_seconds: number;
  @Optional() @IsNested(() => PolicyApproval) approval?: PolicyApproval | null;
}

/** As events have it: amounts with all their decimals, and nothing that is null. */
export function policyOf({ limits, new_destination_wait_seconds, approval }: Plain<PolicyTerms>) {
  return {
    limits: limits.map(({ currency, per, within, amount, count }) => ({
      ...{ currency, per, within },
      ...(amount && { amount: Money.parse(currency, amount).toString() }),
      ...(count !== undefined && count !== null && { count }),
    })),
    new_destination_wait_seconds,
    ...(approval && {
      approval: {
        above: approval.above.map(({ currency, amount }) => ({
          currency,
          amount: Money.parse(currency, amount).toString(),
        })),
        new_destination: approval.new_destination,
        new_rail: approval.new_rail,
        approvers: approval.approvers,
        expires_after_seconds: approval.expires_after_seconds,
      },
    }),
  };
}
