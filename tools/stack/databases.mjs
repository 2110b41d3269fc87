// The four databases: which service owns which, the login roles, and where each connection string comes from.
// A service connects as its app role, which may only do what the migrations granted it (it can't change the event log),
// the auditor as a role that only reads; migrations connect as the owner. A URL that the user gives is used for both,
// unless the migration URL is given too.

export const DATABASES = ['customer', 'ledger', 'swap', 'payout'];
export const appRole = (name) => `${name}_app`;
/** Reads the ledger for npm run audit, and writes nothing. */
export const AUDITOR_ROLE = 'ledger_auditor';
/** Every login role of a database; the migrations say what each may do. */
export const rolesOf = (name) => [appRole(name), ...(name === 'ledger' ? [AUDITOR_ROLE] : [])];
export const urlVariable = (name) => `${name.toUpperCase()}_DATABASE_URL`;
export const migrationUrlVariable = (name) => `${name.toUpperCase()}_MIGRATION_DATABASE_URL`;

export const givenUrls = (env) => DATABASES.filter((name) => env[urlVariable(name)]);

/** {app, owner, auditor?} URLs by database; `postgres` is the running embedded server, needed for those that the user didn't give. */
export function databaseUrls(env, postgres, secrets) {
  const entries = DATABASES.map((name) => {
    const given = env[urlVariable(name)];
    if (given) return [name, { app: given, owner: env[migrationUrlVariable(name)] || given }];
    const as = (role) => `postgresql://${role}:${secrets[`${role}_password`]}@127.0.0.1:${postgres.port}/${name}`;
    const auditor = name === 'ledger' && { auditor: as(AUDITOR_ROLE) };
    return [name, { app: as(appRole(name)), owner: postgres.url(name), ...auditor }];
  });
  return Object.fromEntries(entries);
}

/** Lets the app roles of the embedded server log in; they exist (without login) since the migrations ran. */
export async function allowLogins(postgres, secrets, names) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: postgres.url('postgres'), connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    for (const role of names.flatMap(rolesOf)) {
      const password = client.escapeLiteral(secrets[`${role}_password`]);
      await client.query(`ALTER ROLE ${client.escapeIdentifier(role)} LOGIN PASSWORD ${password}`);
    }
  } finally {
    await client.end();
  }
}
