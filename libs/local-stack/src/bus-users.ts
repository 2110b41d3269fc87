/** Each program that speaks on the bus, which is also the name of its user there. */
export const BUS_USERS = ['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout', 'auditor'] as const;
export type BusUser = (typeof BUS_USERS)[number];

/** The variable of the broker's configuration that holds a user's password. */
export const natsPasswordVariable = (user: BusUser) => `${user.replaceAll('-', '_').toUpperCase()}_NATS_PASSWORD`;
