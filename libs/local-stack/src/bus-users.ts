/** The programs that use the bus; each has a user of the same name there. */
export const BUS_USERS = [
  'gateway',
  'customer',
  'wallet-ledger',
  'swap-pricing',
  'payout',
  'signer',
  'chain',
  'backoffice',
  'auditor',
  'operator',
] as const;
export type BusUser = (typeof BUS_USERS)[number];

/** The variable of the broker's configuration that holds a user's password. */
export const natsPasswordVariable = (user: BusUser) => `${user.replaceAll('-', '_').toUpperCase()}_NATS_PASSWORD`;
