import type { Session } from '../api/client';
import { firstScreenOf, isOpenFor, navigationFor } from './navigation';

describe('the navigation', () => {
  it.each<[Session['side'], Session['role'], string]>([
    ['merchant', 'viewer', 'Transactions, Overview, Deposits, Wallets, Customers, Your account'],
    ['merchant', 'developer', 'Transactions, Overview, Deposits, Wallets, Customers, Webhooks, API keys, Your account'],
    ['merchant', 'payer', 'Transactions, Overview, Deposits, Pay, Swap, Wallets, Customers, Your account'],
    ['merchant', 'approver', 'Transactions, Overview, Deposits, Approvals, Wallets, Customers, Your account'],
    [
      ...(['merchant', 'admin'] as const),
      'Transactions, Overview, Deposits, Approvals, Pay, Swap, Wallets, Customers, Webhooks, API keys, Members, Activity, Your account',
    ],
    ['operator', 'support', 'Merchants, Cases, Your account'],
    [
      'operator',
      'operations',
      'Merchants, Treasury, Operations, Reconciliation, Checkpoints, Verification, Explain a balance, Your account',
    ],
    [
      'operator',
      'compliance',
      'Merchants, Reconciliation, Cases, Checkpoints, Verification, Explain a balance, Activity, Your account',
    ],
    [
      'operator',
      'auditor',
      'Merchants, Treasury, Operations, Reconciliation, Checkpoints, Verification, Explain a balance, Activity, Your account',
    ],
  ])('of a %s’s %s', (side, role, shown) =>
    expect(
      navigationFor({ side, role })
        .map(({ label }) => label)
        .join(', '),
    ).toBe(shown),
  );

  it('says where a person begins', () => {
    expect(firstScreenOf({ side: 'merchant', role: 'viewer' })).toBe('/transactions');
    expect(firstScreenOf({ side: 'operator', role: 'support' })).toBe('/merchants');
  });

  it('says of an address whether it is for a person', () => {
    expect(isOpenFor('/members', { side: 'merchant', role: 'admin' })).toBe(true);
    expect(isOpenFor('/members', { side: 'merchant', role: 'viewer' })).toBe(false);
    expect(isOpenFor('/pay', { side: 'merchant', role: 'viewer' })).toBe(false);
  });
});
