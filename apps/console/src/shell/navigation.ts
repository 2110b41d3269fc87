/** Which screens there are, and for whom. The back office decides who may do what; this only leaves out what is of no use. */
import type { Session } from '../api/client';
import type { Offer, Offers } from '../api/offers';

interface Screen {
  to: '/transactions' | '/approvals' | '/wallets' | '/webhooks' | '/members' | '/account';
  label: string;
  icon: 'transactions' | 'approvals' | 'wallets' | 'webhooks' | 'members' | 'account';
  /** Undefined for what every back office answers. */
  offer?: Offer;
  isFor: (session: Who) => boolean;
}
type Who = Pick<Session, 'role' | 'side'>;

const ofMerchants = ({ side }: Who) => side === 'merchant';

/** The first one is where a person begins. */
const SCREENS: readonly Screen[] = [
  { to: '/transactions', label: 'Transactions', icon: 'transactions', offer: 'transactions', isFor: ofMerchants },
  {
    ...{ to: '/approvals', label: 'Approvals', icon: 'approvals', offer: 'approvals' },
    isFor: ({ role }) => role === 'approver' || role === 'admin',
  },
  { to: '/wallets', label: 'Wallets', icon: 'wallets', offer: 'wallets', isFor: ofMerchants },
  {
    ...{ to: '/webhooks', label: 'Webhooks', icon: 'webhooks', offer: 'webhooks' },
    isFor: ({ role }) => role === 'developer' || role === 'admin',
  },
  { to: '/members', label: 'Members', icon: 'members', offer: 'members', isFor: ({ role }) => role === 'admin' },
  { to: '/account', label: 'Your account', icon: 'account', isFor: () => true },
];

export const navigationFor = (session: Who, offers: Offers): Screen[] =>
  SCREENS.filter(({ offer, isFor }) => (offer === undefined || offers.has(offer)) && isFor(session));

export const firstScreenOf = (session: Who, offers: Offers): Screen['to'] =>
  navigationFor(session, offers)[0]?.to ?? '/account';

/** Whether a screen is there at all, and whether it is for this person. */
export function standingOf(to: Screen['to'], session: Who, offers: Offers): 'open' | 'missing' | 'refused' {
  const screen = SCREENS.find((one) => one.to === to);
  if (screen === undefined || (screen.offer !== undefined && !offers.has(screen.offer))) return 'missing';
  return screen.isFor(session) ? 'open' : 'refused';
}
