/** What members of a merchant may be, and people of the operator. */
export const MERCHANT_ROLES = ['viewer', 'developer', 'payer', 'approver', 'admin'] as const;
export const OPERATOR_ROLES = ['support', 'operations', 'compliance', 'auditor'] as const;
export type MerchantRole = (typeof MERCHANT_ROLES)[number];
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
export type Role = MerchantRole | OperatorRole;
export type Side = 'merchant' | 'operator';

const SEES_PERSONAL_DATA: readonly Role[] = ['payer', 'approver', 'admin', 'compliance'];

/** Names, addresses, accounts, free texts: for who has to know whom money goes to. Others see what it is and how much. */
export const maySeePersonalData = (role: Role): boolean => SEES_PERSONAL_DATA.includes(role);
