// What a service knows of its database's migrations: their names, written into its source, because what is deployed holds
// the build and not prisma/. `npm run docs` writes these modules with the documents, and --check notices a missing name.

import { DATABASES, type DatabaseName } from './databases';
import { migrationsFolder, readMigrations } from './migrations';

const LINE_MAX = 120;
const MODULES: Record<DatabaseName, string> = {
  backoffice: 'libs/people-store/src/migrations.ts',
  chain: 'apps/chain/src/persistence/migrations.ts',
  customer: 'libs/customer-store/src/migrations.ts',
  ledger: 'libs/ledger-store/src/migrations.ts',
  payout: 'apps/payout/src/persistence/migrations.ts',
  swap: 'apps/swap-pricing/src/persistence/migrations.ts',
};

export const KNOWN_MIGRATIONS = DATABASES.map((database) => ({
  file: MODULES[database],
  text: () => moduleOf(database),
}));

/** As the formatter would write it. */
function moduleOf(database: DatabaseName): string {
  const names = readMigrations(migrationsFolder(database)).map(({ name }) => `'${name}'`);
  const declaration = 'export const MIGRATIONS: readonly string[] = ';
  const line = `${declaration}[${names.join(', ')}];`;
  const list = line.length <= LINE_MAX ? line : `${declaration}[\n${names.map((name) => `  ${name},\n`).join('')}];`;
  return `/** The migrations of prisma/${database} that this build was made with: written by npm run docs. */\n${list}\n`;
}
