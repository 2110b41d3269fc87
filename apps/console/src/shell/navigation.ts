/** Which screens there are, and for whom. The back office decides who may do what; this only leaves out what is of no use. */
import type { Session } from '../api/client';
import type { IconName } from './icon';

type Who = Pick<Session, 'role' | 'side'>;

const ofOperator = ({ side }: Who) => side === 'operator';
const ofMerchants = ({ side }: Who) => side === 'merchant';
const ofRoles =
  (...roles: readonly Session['role'][]) =>
  ({ role }: Who) =>
    roles.includes(role);

const AUDITING = ['auditor', 'compliance', 'operations'] as const;

/** The first one is where a person begins. */
const SCREENS = [
  { to: '/transactions', label: 'Transactions', icon: 'transactions', isFor: ofMerchants },
  { to: '/overview', label: 'Overview', icon: 'overview', isFor: ofMerchants },
  { to: '/deposits', label: 'Deposits', icon: 'deposits', isFor: ofMerchants },
  { to: '/approvals', label: 'Approvals', icon: 'approvals', isFor: ofRoles('approver', 'admin') },
  { to: '/pay', label: 'Pay', icon: 'pay', isFor: ofRoles('payer', 'admin') },
  { to: '/swap', label: 'Swap', icon: 'swap', isFor: ofRoles('payer', 'admin') },
  { to: '/wallets', label: 'Wallets', icon: 'wallets', isFor: ofMerchants },
  { to: '/customers', label: 'Customers', icon: 'customers', isFor: ofMerchants },
  { to: '/webhooks', label: 'Webhooks', icon: 'webhooks', isFor: ofRoles('developer', 'admin') },
  { to: '/keys', label: 'API keys', icon: 'keys', isFor: ofRoles('developer', 'admin') },
  { to: '/members', label: 'Members', icon: 'members', isFor: ofRoles('admin') },
  { to: '/merchants', label: 'Merchants', icon: 'merchants', isFor: ofOperator },
  { to: '/treasury', label: 'Treasury', icon: 'treasury', isFor: ofRoles('operations', 'auditor') },
  { to: '/operations', label: 'Operations', icon: 'operations', isFor: ofRoles('operations', 'auditor') },
  {
    ...{ to: '/reconciliation', label: 'Reconciliation', icon: 'reconciliation' },
    isFor: ofRoles('operations', 'compliance', 'auditor'),
  },
  { to: '/cases', label: 'Cases', icon: 'cases', isFor: ofRoles('compliance', 'support') },
  { to: '/checkpoints', label: 'Checkpoints', icon: 'checkpoints', isFor: ofRoles(...AUDITING) },
  { to: '/verification', label: 'Verification', icon: 'verification', isFor: ofRoles(...AUDITING) },
  { to: '/balances', label: 'Explain a balance', icon: 'balances', isFor: ofRoles(...AUDITING) },
  { to: '/activity', label: 'Activity', icon: 'activity', isFor: ofRoles('admin', 'auditor', 'compliance') },
  { to: '/account', label: 'Your account', icon: 'account', isFor: () => true },
] as const satisfies readonly { to: string; label: string; icon: IconName; isFor: (session: Who) => boolean }[];
type Screen = (typeof SCREENS)[number];

export const navigationFor = (session: Who): Screen[] => SCREENS.filter(({ isFor }) => isFor(session));

export const firstScreenOf = (session: Who): Screen['to'] => navigationFor(session)[0]?.to ?? '/account';

export const isOpenFor = (to: Screen['to'], session: Who): boolean =>
  navigationFor(session).some((screen) => screen.to === to);
