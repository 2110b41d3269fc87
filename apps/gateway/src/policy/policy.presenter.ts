import { LIMIT_PERIODS, LIMITED } from '@stablecoin/contracts/wallet/policy-terms';
import { PolicyView } from '@stablecoin/contracts/wallet/policy-view';
import {
  amount,
  count,
  currency,
  flag,
  listOf,
  nullable,
  oneOf,
  resource,
  ResponseOf,
  timestamp,
} from '@stablecoin/http-answers/response-schema';

const LIMIT = resource('PolicyLimit', {
  currency,
  per: oneOf(LIMITED),
  within: oneOf(LIMIT_PERIODS),
  amount: nullable(amount),
  count: nullable(count),
});

const APPROVAL_RULE = resource('PolicyApproval', {
  above: listOf(resource('ApprovalAbove', { currency, amount })),
  new_destination: flag,
  new_rail: flag,
  approvers: count,
  expires_after_seconds: count,
});

export const POLICY = resource('PayoutPolicy', {
  version: count,
  changed_at: nullable(timestamp),
  limits: nullable(listOf(LIMIT)),
  new_destination_wait_seconds: count,
  approval: nullable(APPROVAL_RULE),
});

/** Of a merchant that has none: live it pays nothing out, with test keys whatever it has. */
export const NO_POLICY: ResponseOf<typeof POLICY> = {
  version: 0,
  changed_at: null,
  limits: null,
  new_destination_wait_seconds: 0,
  approval: null,
};

/** Without the operator's name and reason, which are the operator's own. */
export function presentPolicy({ policy_version, changed_at, policy }: PolicyView): ResponseOf<typeof POLICY> {
  const { limits, new_destination_wait_seconds, approval } = policy;
  return {
    version: policy_version,
    changed_at,
    limits: limits.map((limit) => ({
      currency: limit.currency,
      per: limit.per,
      within: limit.within,
      amount: limit.amount ?? null,
      count: limit.count ?? null,
    })),
    new_destination_wait_seconds,
    approval: approval
      ? {
          above: approval.above.map(({ currency: of, amount: more }) => ({ currency: of, amount: more })),
          new_destination: approval.new_destination,
          new_rail: approval.new_rail,
          approvers: approval.approvers,
          expires_after_seconds: approval.expires_after_seconds,
        }
      : null,
  };
}
