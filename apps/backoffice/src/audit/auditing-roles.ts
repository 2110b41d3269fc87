import type { OperatorRole } from '@stablecoin/people-store/roles';
import { ForRoles } from '../sessions/session.guard';

/** Who of the operator's people audits at the console. */
export const AUDITING_ROLES: readonly OperatorRole[] = ['auditor', 'compliance', 'operations'];

export const ForAuditors = () => ForRoles(...AUDITING_ROLES);
