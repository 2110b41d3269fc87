/** The migrations of prisma/chain that this build was made with: written by npm run docs. */
export const MIGRATIONS: readonly string[] = [
  '20261127000000_initial',
  '20261130010000_outgoing_transfers',
  '20261130020000_treasury',
  '20261130040000_faucet_transfers',
  '20261130050000_auditor_reads_chain',
  '20261130060000_token_codes',
  '20261202040000_signed_orders',
  '20261202060000_deposits_screened',
  '20261205010000_deposits_stay_whose_they_are',
];
