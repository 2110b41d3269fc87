import type { Schema, Session } from '../api/client';

export type Role = Schema<'Role'>;

export const ROLES: Readonly<Record<Session['side'], readonly Role[]>> = {
  merchant: ['viewer', 'developer', 'payer', 'approver', 'admin'],
  operator: ['support', 'operations', 'compliance', 'auditor'],
};

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  ...{ viewer: 'Viewer', developer: 'Developer', payer: 'Payer', approver: 'Approver', admin: 'Admin' },
  ...{ support: 'Support', operations: 'Operations', compliance: 'Compliance', auditor: 'Auditor' },
};

export const isRole = (text: string): text is Role => Object.hasOwn(ROLE_WORDS, text);
export const isRoleOf = (side: Session['side'], role: string): role is Role => ROLES[side].some((one) => one === role);
