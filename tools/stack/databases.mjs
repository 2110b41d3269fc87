// The four databases: which service owns which, the login roles, and where each connection string comes from.
// A service connects as its app role, which may only do what the migrations granted it (it can't change the event log),
// people as roles that only read; migrations connect as the owner. A URL that the user gives is used for both, unless
// the migration URL is given too.

export const DATABASES = ['customer', 'ledger', 'swap', 'payout'];
export const appRole = (name) => `${name}_app`;
/**
 * Roles of people: each only reads, in one database, and no service logs in with it. The auditor reads the ledger; a
 * compliance officer reads customers' documents.
 */
const READERS = {
  ledger: { role: 'ledger_auditor', variable: 'AUDIT_DATABASE_URL' },
  customer: { role: 'customer_compliance', variable: 'CUSTOMER_COMPLIANCE_DATABASE_URL' },
};
/** Every login role of a database; the migrations say what each may do. */
export const rolesOf = (name) => [appRole(name), ...(READERS[name] ? [READERS[name].role] : [])];
export const readerVariables = Object.values(READERS).map(({ variable }) => variable);
export const urlVariable = (name) => `${name.toUpperCase()}_DATABASE_URL`;
export const migrationUrlVariable = (name) => `${name.toUpperCase()}_MIGRATION_DATABASE_URL`;

/** The variables with the connection strings of everybody who logs in to a database. */
export const loginVariables = (name) => [urlVariable(name), ...(READERS[name] ? [READERS[name].variable] : [])];

export const givenUrls = (env) => DATABASES.filter((name) => env[urlVariable(name)]);

/** {app, owner, reader?} URLs by database; `postgres` is the running embedded server, needed for those that the user didn't give. */
export function databaseUrls(env, postgres, secrets) {
  const entries = DATABASES.map((name) => {
    const given = env[urlVariable(name)];
    if (given) return [name, { app: given, owner: env[migrationUrlVariable(name)] || given }];
    const as = (role) => `postgresql://${role}:${secrets[`${role}_password`]}@127.0.0.1:${postgres.port}/${name}`;
    const reader = READERS[name] && { reader: as(READERS[name].role) };
    return [name, { app: as(appRole(name)), owner: postgres.url(name), ...reader }];
  });
  return Object.fromEntries(entries);
}

/** The variables by which command lines for people find their database. */
export function readerEnvironment(urls) {
  const known = Object.entries(READERS).filter(([name]) => urls[name].reader);
  return Object.fromEntries(known.map(([name, { variable }]) => [variable, urls[name].reader]));
}

/** Lets the roles of the embedded server log in; they exist (without login) since the migrations ran. */
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
