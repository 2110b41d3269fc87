import { Sql } from './sql';

/** A check as a service's operations server asks it: what is wrong, or nothing. */
interface Check {
  name: string;
  look: () => Promise<string | undefined>;
}

/**
 * That a service's database answers, and has every migration that the service was built with. One that has more is no
 * fault: migrations only add, so that the version before them goes on working. A role that may not even ask is one to
 * which the migrations have not given that right yet.
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
        // What is applied stays applied.
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
