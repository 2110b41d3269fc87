/** The ledger's databases that are on other servers than the stack's (docs/adr/0066), which a base backup of the stack does not have. */
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { secretFrom } from '@stablecoin/command-line/secret-files';
import { connect } from '@stablecoin/local-stack/base-backup';
import { FURTHER_LEDGER_OWNERS, namedUrls, NamedUrl } from '@stablecoin/migrations/databases';

/** Further databases of the ledger, as its owner or as the service reaches them. */
export function furtherDatabases(env: NodeJS.ProcessEnv): NamedUrl[] {
  for (const variable of [FURTHER_LEDGER_OWNERS, 'LEDGER_DATABASES']) {
    const found = namedUrls(variable, secretFrom(env, variable));
    if (found.length > 0) return found;
  }
  return [];
}

/** @param url the stack's server. @returns the names of those that are not on it */
export async function databasesElsewhere(env: NodeJS.ProcessEnv, url: string): Promise<string[]> {
  const further = furtherDatabases(env);
  if (further.length === 0) return [];
  const server = await serverOf(url);
  const elsewhere: string[] = [];
  for (const database of further) if ((await serverOf(database.url)) !== server) elsewhere.push(database.name);
  return elsewhere;
}

/** What initdb named the server's data; undefined where it does not answer. */
async function serverOf(url: string): Promise<string | undefined> {
  const client = await connect(url).catch(() => undefined);
  if (!client) return undefined;
  try {
    const { rows } = await client.query<{ server: string }>(
      'SELECT system_identifier::text AS server FROM pg_control_system()',
    );
    return rows[0]?.server;
  } finally {
    await client.end();
  }
}

/** A backup that lacks a part of the ledger is one only where that was said. @throws OperatorError */
export function refuseUnlessSaid(elsewhere: readonly string[], without: readonly string[]): void {
  const unsaid = elsewhere.filter((name) => !without.includes(name));
  if (unsaid.length === 0) return;
  const [is, them] =
    unsaid.length === 1 ? ['database ', ' is on another server'] : ['databases ', ' are on other servers'];
  throw new OperatorError(
    `The ledger's ${is}${unsaid.join(', ')}${them}, which this does not copy: back it up where it runs, with pg_basebackup, and say ` +
      `${unsaid.map((name) => `--without ${name}`).join(' ')}. Each backup is as of a moment of its own.`,
  );
}
