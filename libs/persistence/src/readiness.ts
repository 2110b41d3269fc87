import { Sql } from './sql';

/** A check that a service's operations server runs: returns what is wrong, or undefined. */
interface Check {
  name: string;
  look: () => Promise<string | undefined>;
}

/**
 * Checks that a service's database answers and has every migration that the service was built with. Further migrations
 * are no fault: migrations only add, so that the previous version goes on working. A role that may not read the table
 * of migrations has not been granted it yet: its migrations are missing.
 */
export function databaseChecks(sql: Sql, migrations: readonly string[]): Check[] {
  let complete = false;
  return [
    {
      name: 'database',
      look: async () => {
        await sql.$queryRaw`SELECT 1`;
        return undefined;
      },
    },
    {
      name: 'migrations',
      look: async () => {
        // An applied migration stays applied: once complete, it is not looked up again.
        if (complete) return undefined;
        const missing = await missingMigrations(sql, migrations);
        complete = missing.length === 0;
        return complete ? undefined : `lack ${missing.join(', ')}: run the migrations`;
      },
    },
  ];
}

async function missingMigrations(sql: Sql, migrations: readonly string[]): Promise<string[]> {
  const [right] = await sql.$queryRaw<{ granted: boolean | null }[]>`
    SELECT has_column_privilege(to_regclass('_prisma_migrations'), 'migration_name', 'SELECT') AS granted`;
  if (!right?.granted) return [...migrations];
  const rows = await sql.$queryRaw<{ migration_name: string }[]>`
    SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  const applied = new Set(rows.map(({ migration_name }) => migration_name));
  return migrations.filter((name) => !applied.has(name));
}
