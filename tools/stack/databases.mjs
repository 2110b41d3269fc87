// The four databases: which service owns which, the login roles, and where each connection string comes from.
// A service connects as its app role, which may only do what the migrations granted it (it can't change the event log);
// migrations connect as the owner. A URL that the user gives is used for both, unless the migration URL is given too.

export const DATABASES = ['customer', 'ledger', 'swap', 'payout'];
export const appRole = (name) => `${name}_app`;
export const urlVariable = (name) => `${name.toUpperCase()}_DATABASE_URL`;
export const migrationUrlVariable = (name) => `${name.toUpperCase()}_MIGRATION_DATABASE_URL`;

export const givenUrls = (env) => DATABASES.filter((name) => env[urlVariable(name)]);

/** {app, owner} URLs by database; `postgres` is the running embedded server, needed for those that the user didn't give. */
export function databaseUrls(env, postgres, secrets) {
  const entries = DATABASES.map((name) => {
    const given = env[urlVariable(name)];
    if (given) return [name, { app: given, owner: env[migrationUrlVariable(name)] || given }];
    const app = `postgresql://${appRole(name)}:${secrets[`${appRole(name)}_password`]}@127.0.0.1:${postgres.port}/${name}`;
    return [name, { app, owner: postgres.url(name) }];
  });
  return Object.fromEntries(entries);
}

/** Lets the app roles of the embedded server log in; they exist (without login) since the migrations ran. */
export async function allowLogins(postgres, secrets, names) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: postgres.url('postgres'), connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    for (const name of names) {
      const password = client.escapeLiteral(secrets[`${appRole(name)}_password`]);
      await client.query(`ALTER ROLE ${client.escapeIdentifier(appRole(name))} LOGIN PASSWORD ${password}`);
    }
  } finally {
    await client.end();
  }
}
