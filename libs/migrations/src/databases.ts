// The databases: the login roles of each, and the variables that hold its connection strings. A service connects as its
// app role, which may only do what the migrations granted it (it can't change the event log), people as roles that only
// read, and the runner beside the auditor as one that writes how runs of verify go and nothing else; migrations connect as the
// owner. A URL that the user gives is used for service and owner, unless the migration URL is given too.

import { OperatorError } from '@stablecoin/command-line/operator-error';
import { secretFrom } from '@stablecoin/command-line/secret-files';
import pg from 'pg';

export const DATABASES = ['customer', 'ledger', 'swap', 'payout', 'chain', 'backoffice'] as const;
export type DatabaseName = (typeof DATABASES)[number];

export const ofEachDatabase = <Value>(value: (name: DatabaseName) => Value): Record<DatabaseName, Value> =>
  Object.fromEntries(DATABASES.map((name) => [name, value(name)])) as Record<DatabaseName, Value>;

/** The connection strings of one database: of its service, of its owner and, where there is one, of its further login. */
export interface DatabaseUrls {
  app: string;
  owner: string;
  further?: string;
}

/** The server that databases without a URL of their own are on. */
export interface LocalServer {
  port: number;
  /** Connects as the owner. */
  url(database: string): string;
}

export const appRole = (name: string) => `${name}_app`;
interface FurtherLogin {
  role: string;
  variable: string;
}

/**
 * Further logins, one a database, with which its service does not work. Those of people only read: the auditor the ledger, and what
 * the chain service has seen and sent; a compliance officer customers' documents. The runner beside the auditor reads which runs
 * were asked for at the console, and writes how they go.
 */
const FURTHER_LOGINS: Partial<Record<string, FurtherLogin>> = {
  ledger: { role: 'ledger_auditor', variable: 'AUDIT_DATABASE_URL' },
  customer: { role: 'customer_compliance', variable: 'CUSTOMER_COMPLIANCE_DATABASE_URL' },
  chain: { role: 'chain_auditor', variable: 'CHAIN_AUDIT_DATABASE_URL' },
  backoffice: { role: 'backoffice_audit_runner', variable: 'AUDIT_RUNS_DATABASE_URL' },
};

/** Every login role of a database; the migrations say what each may do. */
export const rolesOf = (name: string) => [appRole(name), ...ofFurther(name, ({ role }) => role)];
/**
 * Databases with a role under which their service reads for a merchant: it takes the role on for a statement, and none logs in
 * as it. Its policies show the rows of the merchant that the statement names.
 */
const WITH_MERCHANT_ROLE: readonly string[] = ['customer', 'ledger'];
/** Every role to which the migrations of a database grant something. */
export const grantedRolesOf = (name: string) => [
  ...rolesOf(name),
  ...(WITH_MERCHANT_ROLE.includes(name) ? [`${name}_merchant`] : []),
];
export const furtherVariables = DATABASES.flatMap((name) => ofFurther(name, ({ variable }) => variable));
export const urlVariable = (name: DatabaseName) => `${name.toUpperCase()}_DATABASE_URL`;
export const migrationUrlVariable = (name: DatabaseName) => `${name.toUpperCase()}_MIGRATION_DATABASE_URL`;

/** Further databases of the ledger (docs/adr/0066): connection strings by name, of owners, of the service's role and of auditors. */
export const FURTHER_LEDGER_OWNERS = 'LEDGER_MIGRATION_DATABASES';
export const FURTHER_LEDGER_LOGINS = ['LEDGER_DATABASES', 'AUDIT_DATABASES'] as const;

export interface NamedUrl {
  name: string;
  url: string;
}

/** @throws OperatorError for what is no list of NAME=URL */
export function namedUrls(variable: string, text: string | undefined): NamedUrl[] {
  const entries = (text ?? '').split(',').filter((entry) => entry.trim() !== '');
  return entries.map((entry) => {
    const [, name, url] = /^\s*([a-z][a-z0-9-]{0,29})=(\S+)\s*$/.exec(entry) ?? [];
    if (name === undefined || url === undefined || !URL.canParse(url))
      throw new OperatorError(`${variable}: expected NAME=URL, several separated by commas.`);
    return { name, url };
  });
}

/**
 * The ledger's further databases that the environment names, by their owners' logins: where none is given, the service's own owns its
 * tables, as with `<NAME>_DATABASE_URL` alone.
 */
export function furtherLedgerOwners(env: NodeJS.ProcessEnv): NamedUrl[] {
  const [logins = [], owners = []] = [FURTHER_LEDGER_LOGINS[0], FURTHER_LEDGER_OWNERS].map((variable) =>
    namedUrls(variable, secretFrom(env, variable)),
  );
  return [...owners, ...logins.filter(({ name }) => !owners.some((owner) => owner.name === name))];
}

/** The variables with the connection strings of all roles that log in to a database. */
export const loginVariables = (name: DatabaseName) => [
  urlVariable(name),
  ...ofFurther(name, ({ variable }) => variable),
];

export const givenUrls = (env: NodeJS.ProcessEnv) => DATABASES.filter((name) => env[urlVariable(name)]);

function ofFurther(name: string, value: (login: FurtherLogin) => string): string[] {
  const login = FURTHER_LOGINS[name];
  return login === undefined ? [] : [value(login)];
}

/** The URLs by database; `server` is the running embedded one, needed for those that the user didn't give. */
export function databaseUrls(
  env: NodeJS.ProcessEnv,
  server: LocalServer | undefined,
  secrets: Readonly<Record<string, string>>,
): Record<DatabaseName, DatabaseUrls> {
  const urlsOf = (name: DatabaseName): DatabaseUrls => {
    const given = env[urlVariable(name)];
    if (given) return { app: given, owner: env[migrationUrlVariable(name)] || given };
    if (server === undefined) throw new Error(`There is no server for the ${name} database.`);
    const as = (role: string) =>
      `postgresql://${role}:${secrets[`${role}_password`] ?? ''}@127.0.0.1:${server.port}/${name}`;
    const [further] = ofFurther(name, ({ role }) => as(role));
    return { app: as(appRole(name)), owner: server.url(name), ...(further !== undefined && { further }) };
  };
  return ofEachDatabase(urlsOf);
}

/** The variables with the connection strings of further logins; those of databases of the user's own are not known here. */
export function furtherEnvironment(urls: Record<DatabaseName, DatabaseUrls>): Record<string, string> {
  const known = DATABASES.flatMap((name) => {
    const { further } = urls[name];
    return further === undefined
      ? []
      : ofFurther(name, ({ variable }) => variable).map((variable) => [variable, further]);
  });
  return Object.fromEntries(known) as Record<string, string>;
}

/** Lets the roles of the embedded server log in; they exist (without login) since the migrations ran. */
export async function allowLogins(
  server: LocalServer,
  secrets: Readonly<Record<string, string>>,
  names: readonly DatabaseName[],
): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('postgres'), connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    for (const role of names.flatMap(rolesOf)) {
      const password = client.escapeLiteral(secrets[`${role}_password`] ?? '');
      await client.query(`ALTER ROLE ${client.escapeIdentifier(role)} LOGIN PASSWORD ${password}`);
    }
  } finally {
    await client.end();
  }
}
