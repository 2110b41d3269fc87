/** The migrations of prisma/ledger that this build was made with: written by npm run docs. */
export const MIGRATIONS: readonly string[] = [
  '20261121000000_initial',
  '20261121100000_ledger_instances',
  '20261121120000_checkpoints',
  '20261121130000_auditor_reads_results',
  '20261121130000_shard_reservations',
  '20261121160000_transaction_counts',
  '20261121180000_transaction_search',
  '20261122200000_app_reads_migrations',
  '20261124010000_transactions_of_customer',
  '20261126020000_signed_heads',
  '20261126020001_auditor_compares_answers',
  '20261128010000_liabilities',
  '20261129010000_reversed_deposits',
  '20261130030000_deposit_addresses_by_address',
  '20261201030000_payout_policies',
  '20261201030001_transactions_waiting',
];
