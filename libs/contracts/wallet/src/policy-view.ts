import type { PolicyTerms } from './policy-terms';
import { Timestamp } from './views';

/** A merchant's policy, with the operator who set it and why. */
export interface PolicyView {
  merchant_id: string;
  policy_version: number;
  policy: PolicyTerms;
  changed_by: string;
  reason: string;
  changed_at: Timestamp;
}
