// What each image is made of: the programs it starts, which everything else follows from, and the files that a program
// reads by their path.

export interface ImageContents {
  /** Files of dist/ (or of the checkout) that are started. */
  entries: readonly string[];
  /** Folders or files that come along as they are. */
  files?: readonly string[];
}

export const IMAGES: Readonly<Record<string, ImageContents>> = {
  gateway: { entries: ['dist/apps/gateway/src/main.js'], files: ['dist/documentation'] },
  customer: { entries: ['dist/apps/customer/src/main.js'] },
  'wallet-ledger': { entries: ['dist/apps/wallet-ledger/src/main.js'] },
  'swap-pricing': { entries: ['dist/apps/swap-pricing/src/main.js'] },
  payout: { entries: ['dist/apps/payout/src/main.js'] },
  signer: { entries: ['dist/apps/signer/src/main.js'] },
  chain: { entries: ['dist/apps/chain/src/main.js'] },
  backoffice: { entries: ['dist/apps/backoffice/src/main.js'], files: ['dist/console'] },
  auditor: {
    entries: [
      'dist/apps/auditor/src/main.js',
      'dist/apps/auditor/src/rebuild.main.js',
      'dist/apps/audit-runner/src/main.js',
      'dist/libs/event-proofs/src/cli.js',
    ],
  },
  witness: { entries: ['dist/apps/witness/src/main.js'] },
  operator: { entries: ['dist/apps/operator/src/deployment.main.js'] },
  migrate: {
    entries: ['dist/libs/migrations/src/migrate-job.js'],
    files: [
      'prisma/customer/migrations',
      'prisma/ledger/migrations',
      'prisma/swap/migrations',
      'prisma/payout/migrations',
      'prisma/chain/migrations',
      'prisma/backoffice/migrations',
    ],
  },
};
