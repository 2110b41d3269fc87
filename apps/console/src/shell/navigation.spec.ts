import type { Session } from '../api/client';
import { firstScreenOf, navigationFor, standingOf } from './navigation';
import { OFFERS, offersOf } from '../api/offers';

type Who = Pick<Session, 'side' | 'role'>;
const ALL = offersOf(OFFERS.join(' '));
const ADMIN: Who = { side: 'merchant', role: 'admin' };
const VIEWER: Who = { side: 'merchant', role: 'viewer' };

describe('the navigation', () => {
  it.each<[Session['side'], Session['role'], string[]]>([
    ['merchant', 'viewer', ['Transactions', 'Wallets', 'Your account']],
    ['merchant', 'developer', ['Transactions', 'Wallets', 'Webhooks', 'Your account']],
    ['merchant', 'payer', ['Transactions', 'Wallets', 'Your account']],
    ['merchant', 'approver', ['Transactions', 'Approvals', 'Wallets', 'Your account']],
    ['merchant', 'admin', ['Transactions', 'Approvals', 'Wallets', 'Webhooks', 'Members', 'Your account']],
    ['operator', 'support', ['Your account']],
    ['operator', 'auditor', ['Your account']],
  ])('of a %s’s %s', (side, role, shown) =>
    expect(navigationFor({ side, role }, ALL).map(({ label }) => label)).toEqual(shown),
  );

  it('has nothing that the back office does not answer yet', () => {
    const labels = (text: string) => navigationFor(ADMIN, offersOf(text)).map(({ label }) => label);
    expect(labels('members')).toEqual(['Members', 'Your account']);
    expect(labels('')).toEqual(['Your account']);
  });

  it('says where a person begins', () => {
    expect(firstScreenOf(VIEWER, ALL)).toBe('/transactions');
    expect(firstScreenOf(ADMIN, offersOf('members'))).toBe('/members');
    expect(firstScreenOf(VIEWER, offersOf('members'))).toBe('/account');
  });

  it('says of an address whether it is there, and for this person', () => {
    expect(standingOf('/members', ADMIN, ALL)).toBe('open');
    expect(standingOf('/members', VIEWER, ALL)).toBe('refused');
    expect(standingOf('/approvals', ADMIN, offersOf('members'))).toBe('missing');
    expect(standingOf('/approvals', VIEWER, offersOf('members'))).toBe('missing');
    expect(standingOf('/account', VIEWER, offersOf(''))).toBe('open');
  });
});
