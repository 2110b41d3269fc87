// The migrator's connection to a database, which is made with its roles where it doesn't exist yet; and its turn, since one
// migrator works at a time.

import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, errorMessage } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import type { Tell } from '@stablecoin/command-line/terminal';
import pg from 'pg';
import { type DatabaseName, grantedRolesOf, rolesOf } from './databases';

/** The advisory lock that Prisma's own migrator takes. */
const PRISMA_LOCK = 72707369;
const CONNECT_TIMEOUT_MS = 10_000;
const TURN_TIMEOUT_MS = 600_000;
const TURN_POLL_MS = 250;
const NO_SUCH_DATABASE = '3D000';
/** Another session made the same at the same time. */
const DATABASE_EXISTS = ['42P04', '23505'];
const ROLE_EXISTS = ['42710', '23505'];

const UNTRUSTED =
  "the server's certificate is not trusted: let sslrootcert in the URL name the certificate of the authority that signed it, " +
  'and use the host name that it is for';
const WITHOUT_TLS = 'The server does not support SSL connections';

const WAYS_OUT: Partial<Record<string, string>> = {
  ECONNREFUSED: 'no server answers there: start it (npm start for the local stack), or correct the URL',
  ENOTFOUND: 'the host is unknown: correct the URL',
  '28P01': 'the password is wrong: correct the URL',
  28000:
    "this login is not allowed: correct the URL (with sslmode=verify-full where TLS is demanded), or the server's pg_hba.conf",
  42501:
    'the role may not do this: use the owner of the database, or have an administrator create the database and its roles first',
};

/** Connects to the database, which is created when the server doesn't have it. */
export async function connectOrCreate(name: DatabaseName, url: string): Promise<pg.Client> {
  try {
    return await connect(url);
  } catch (error) {
    if (errorCode(error) !== NO_SUCH_DATABASE) throw operatorErrorOf(name, error);
  }
  try {
    await createDatabase(url, name);
    return await connect(url);
  } catch (error) {
    throw operatorErrorOf(name, error);
  }
}

/** Waits until no other migrator works on this database. */
export async function takeTurn(client: pg.Client, name: DatabaseName, tell: Tell): Promise<void> {
  const until = Date.now() + TURN_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [PRISMA_LOCK]);
    if (rows[0]?.mine) return;
    if (Date.now() > until) {
      throw new OperatorError(
        `Another migration of the ${name} database has been running for ${TURN_TIMEOUT_MS / 60_000} minutes: ` +
          'wait for it to end (pg_stat_activity shows it as "migrate"), then try again.',
      );
    }
    tell('waiting for another migration to end');
    await sleep(TURN_POLL_MS);
  }
}

export async function ensureRole(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  if (rows.length > 0) return;
  await ignoring(ROLE_EXISTS, () => client.query(`CREATE ROLE ${client.escapeIdentifier(role)} NOLOGIN`));
}

/** What an operator can mend, as one sentence with the way out; any other error as it is. */
export function operatorErrorOf(name: DatabaseName, error: unknown): unknown {
  if (error instanceof OperatorError) return error;
  const code = errorCode(error) ?? '';
  const wayOut = WAYS_OUT[code] ?? tlsWayOut(code, errorMessage(error));
  return wayOut === undefined
    ? error
    : new OperatorError(`The ${name} database can't be migrated: ${errorMessage(error) || code}; ${wayOut}.`);
}

/** Node has a code for each reason not to trust a certificate. */
function tlsWayOut(code: string, message: string): string | undefined {
  if (/CERT|SIGNATURE|ALTNAME/.test(code)) return UNTRUSTED;
  return message === WITHOUT_TLS
    ? 'the server has no TLS: set ssl = on there, or take sslmode out of the URL'
    : undefined;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'migrate',
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Only its own roles may connect to a database that is made here. */
async function createDatabase(url: string, name: DatabaseName): Promise<void> {
  const target = new URL(url);
  const database = decodeURIComponent(target.pathname.slice(1));
  target.pathname = '/postgres';
  const client = await connect(target.href);
  try {
    const quoted = client.escapeIdentifier(database);
    await takeTurn(client, name, () => undefined);
    for (const role of grantedRolesOf(name)) await ensureRole(client, role);
    const roles = rolesOf(name).map((role) => client.escapeIdentifier(role));
    await ignoring(DATABASE_EXISTS, () => client.query(`CREATE DATABASE ${quoted}`));
    await client.query(
      `REVOKE ALL ON DATABASE ${quoted} FROM PUBLIC; GRANT CONNECT ON DATABASE ${quoted} TO ${roles.join(', ')}`,
    );
  } finally {
    await client.end();
  }
}

async function ignoring(codes: readonly string[], work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!codes.includes(errorCode(error) ?? '')) throw error;
  }
}
