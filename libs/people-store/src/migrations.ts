/** The migrations of prisma/backoffice that this build was made with: written by npm run docs. */
export const MIGRATIONS: readonly string[] = [
  '20261206010000_initial',
  '20261207010000_passkeys',
  '20261208030000_solvency_reports',
  '20261208050000_identities',
  '20261209010000_audit_runs',
];
