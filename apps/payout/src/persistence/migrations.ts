/** The migrations of prisma/payout that this build was made with: written by npm run docs. */
export const MIGRATIONS: readonly string[] = [
  '20261121000000_initial',
  '20261122200000_app_reads_migrations',
  '20261123000000_parked_facts',
  '20261123010000_clean_up',
  '20261123020000_inbox_by_age',
  '20261124020000_fact_progress',
  '20261126000000_payouts_due_fresh',
  '20261126000001_payouts_due_retried',
  '20261126000002_deposit_confirmations_due_fresh',
  '20261126000003_deposit_confirmations_due_retried',
  '20261130020000_payout_routes',
  '20261201032000_waiting_payouts',
  '20261201050000_payout_terms',
  '20261202060000_payouts_screened',
];
