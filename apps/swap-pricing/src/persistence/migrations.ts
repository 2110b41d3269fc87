/** The migrations of prisma/swap that this build was made with: written by npm run docs. */
export const MIGRATIONS: readonly string[] = [
  '20261121000000_initial',
  '20261122200000_app_reads_migrations',
  '20261123000000_parked_facts',
  '20261123010000_clean_up',
  '20261123020000_inbox_by_age',
  '20261123030000_quotes_unused',
  '20261124020000_fact_progress',
  '20261202040000_claim_proofs',
  '20261210020000_quote_terms',
];
