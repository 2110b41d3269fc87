/** The tables that follow from the log, each with the columns that name a row. */
export const PROJECTION_TABLES = [
  { table: 'account_balances', key: ['shard', 'account_id'] },
  { table: 'wallets', key: ['id'] },
  { table: 'deposit_addresses', key: ['id'] },
  { table: 'closed_customers', key: ['customer_id'] },
  { table: 'payout_policies', key: ['merchant_id'] },
  { table: 'payout_usage', key: ['merchant_id', 'subject'] },
  { table: 'transactions', key: ['id'] },
] as const;

export type ProjectionTable = (typeof PROJECTION_TABLES)[number]['table'];

/** Tables that only triggers of the projections write; a rebuild must replace them too. */
export const KEPT_BY_TRIGGERS = ['transaction_counts'] as const;

/** Tables that follow the log some moments later; a rebuild fills and replaces them too. */
export const FOLLOWING_THE_LOG = [
  'transaction_search',
  'transaction_search_progress',
  'daily_figures',
  'daily_figures_progress',
] as const;

/** What answers lists, searches and charts beside the projections, and follows from them and the log. */
export const DERIVED_TABLES = ['transaction_counts', 'transaction_search', 'daily_figures'] as const;

export type DerivedTable = (typeof DERIVED_TABLES)[number];
