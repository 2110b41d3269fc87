/** Each program that speaks on the bus, which is also the name of its user there (deploy/nats/permissions.conf). */
export const BUS_USERS = ['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout', 'auditor'] as const;

/** The variable of deploy/nats/permissions.conf that holds a user's password. */
export const passwordVariableOf = (user: string) => `${user.replaceAll('-', '_').toUpperCase()}_NATS_PASSWORD`;
