/** The tables that follow from the log, each with the columns that name a row. */
export const PROJECTION_TABLES = [
  { table: 'account_balances', key: ['shard', 'account_id'] },
  { table: 'wallets', key: ['id'] },
  { table: 'deposit_addresses', key: ['id'] },
  { table: 'closed_customers', key: ['customer_id'] },
  { table: 'transactions', key: ['id'] },
] as const;

export type ProjectionTable = (typeof PROJECTION_TABLES)[number]['table'];

/** Tables that only triggers of the projections write; a rebuild must replace them too. */
export const KEPT_BY_TRIGGERS = ['transaction_counts'] as const;
