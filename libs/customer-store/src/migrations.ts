/** The migrations of prisma/customer that this build was made with: written by npm run docs. */
export const MIGRATIONS: readonly string[] = [
  '20261121000000_initial',
  '20261122000000_webhooks',
  '20261122010000_document_accesses',
  '20261122200000_app_reads_migrations',
  '20261123000000_parked_facts',
  '20261123010000_clean_up',
  '20261123020000_inbox_by_age',
  '20261124000000_rewrapped_keys',
  '20261124020000_fact_progress',
  '20261125000000_documents_by_themselves',
  '20261125010000_uploads_of_merchant',
  '20261125020000_uploads_expiring',
  '20261126040000_api_keys_bound_and_told',
  '20261126040100_operator_acts',
  '20261126040200_customers_under_review',
  '20261201040000_documents_stay_attached',
];
