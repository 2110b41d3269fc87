/** How an audit connects to the ledger's database, and the messages when it can't. */
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { RawSql, Sql } from '@stablecoin/persistence/sql';
import { furtherLedgerDatabases, HOME_DATABASE, NamedDatabase } from '@stablecoin/service-host/repeated-settings';
import { AuditFailure } from '../report/report';
import { settingOf } from '../settings/setting-of';

export const ENVIRONMENT = ['AUDIT_DATABASE_URL', 'LEDGER_MIGRATION_DATABASE_URL', 'LEDGER_DATABASE_URL'] as const;
/** For work that only the owner of the tables may do. */
export const OWNER_ENVIRONMENT = ['LEDGER_MIGRATION_DATABASE_URL'] as const;

/** One statement may have to join the largest tables as a whole; it ends before where the auditor does. */
const STATEMENT_TIMEOUT_MS = 30 * 60_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 5 * 60_000;
const SNAPSHOT_LIMITS = { maxWait: 10_000, timeout: 24 * 3_600_000 } as const;

/** One of the ledger's databases, by the name that it has in the settings. */
export interface NamedLedger {
  name: string;
  database: LedgerDatabase;
}

/** All databases of the ledger, home first: mostly there is no other. */
export type LedgerDatabases = readonly [NamedLedger, ...NamedLedger[]];

/** @param ledger its one database, or all of them */
export const asLedgers = (ledger: LedgerDatabase | LedgerDatabases): LedgerDatabases =>
  Array.isArray(ledger)
    ? (ledger as unknown as LedgerDatabases)
    : [{ name: HOME_DATABASE, database: ledger as LedgerDatabase }];

/** All databases, each with one connection. */
export function withLedgers<Result>(
  env: NodeJS.ProcessEnv,
  work: (databases: LedgerDatabases) => Promise<Result>,
  variables: readonly string[] = ENVIRONMENT,
): Promise<Result> {
  const withOthers = (home: LedgerDatabase, variable: string) => {
    const others = furtherDatabases(env, variable);
    const open = (index: number, opened: LedgerDatabases): Promise<Result> => {
      const other = others[index];
      if (!other) return work(opened);
      return within(other.url, `${furtherVariable(variable)}, ${other.name}`, (database) =>
        open(index + 1, [...opened, { name: other.name, database }]),
      );
    };
    return open(0, [{ name: HOME_DATABASE, database: home }]);
  };
  return withLedger(env, withOthers, variables);
}

/** Beside AUDIT_DATABASE_URL: AUDIT_DATABASES, with the databases beside home. */
const furtherVariable = (variable: string) => variable.replace(/_URL$/, 'S');

function furtherDatabases(env: NodeJS.ProcessEnv, variable: string): NamedDatabase[] {
  const name = furtherVariable(variable);
  const text = settingOf(env, name);
  if (!text) return [];
  try {
    return furtherLedgerDatabases(name, '', 'ledger_auditor').read(text);
  } catch (error) {
    throw new AuditFailure(`${name}: expected ${(error as Error).message}.`);
  }
}

/** A database with one connection: temporary tables and the snapshot share it. */
export async function withLedger<Result>(
  env: NodeJS.ProcessEnv,
  work: (database: LedgerDatabase, variable: string) => Promise<Result>,
  variables: readonly string[] = ENVIRONMENT,
): Promise<Result> {
  const name = variables.find((variable) => settingOf(env, variable));
  const url = name && settingOf(env, name);
  if (!name || !url)
    throw new AuditFailure(`No database named: set ${variables[0]}, or start the local stack with npm start.`);
  if (!URL.canParse(url))
    throw new AuditFailure(`${name} is no URL: it should read postgresql://USER:PASSWORD@HOST:PORT/DATABASE.`);
  return within(url, name, (database) => work(database, name));
}

/** @param variable that names it, for the messages */
async function within<Result>(
  url: string,
  variable: string,
  work: (database: LedgerDatabase) => Promise<Result>,
): Promise<Result> {
  const database = new LedgerDatabase({
    url,
    applicationName: 'auditor',
    poolSize: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleTransactionTimeoutMs: IDLE_TRANSACTION_TIMEOUT_MS,
    takesStandby: true,
    endsWithItsProcess: true,
  });
  try {
    return await work(database);
  } catch (error) {
    throw explained(error, variable, new URL(url));
  } finally {
    await database.$disconnect();
  }
}

/** Speaks raw SQL past Prisma's client (ADR 59): every event of the log passes here. */
export type Snapshot = Sql & RawSql;

/**
 * One moment of the database for a whole run, whatever is committed meanwhile. `read-only` can write to temporary tables
 * only; `keep` can write, and commits.
 */
export async function withSnapshot<Result>(
  database: LedgerDatabase,
  mode: SnapshotMode,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  return database.sql.$transaction(
    async (snapshot) => {
      if (mode === 'read-only') await snapshot.$executeRaw`SET TRANSACTION READ ONLY`;
      await snapshot.$executeRaw`SET LOCAL TimeZone TO 'UTC'`;
      return work(snapshot);
    },
    { ...SNAPSHOT_LIMITS, isolationLevel: 'REPEATABLE READ', isDoneOnce: true },
  );
}

type SnapshotMode = 'read-only' | 'keep';

export interface NamedSnapshot {
  name: string;
  snapshot: Snapshot;
}

/** One moment of each database. */
export async function withSnapshots<Result>(
  [first, ...others]: LedgerDatabases,
  mode: SnapshotMode,
  work: (snapshots: readonly [NamedSnapshot, ...NamedSnapshot[]]) => Promise<Result>,
): Promise<Result> {
  return withSnapshot(first.database, mode, (snapshot) => {
    const [next, ...rest] = others;
    const here = { name: first.name, snapshot };
    return next ? withSnapshots([next, ...rest], mode, (further) => work([here, ...further])) : work([here]);
  });
}

function explained(error: unknown, variable: string, { host, pathname }: URL): unknown {
  if (error instanceof AuditFailure) return error;
  const text = messagesOf(error);
  const place = `${host}${pathname} (${variable})`;
  if (/permission denied/i.test(text)) {
    const what = /permission denied[^\n`"]*("[^"]*"|[\w ]+)?/i.exec(text)?.[0] ?? 'permission denied';
    return new AuditFailure(`This role may not: ${what}. Connect as the owner of the ledger: set ${ENVIRONMENT[0]}.`);
  }
  if (/relation .* does not exist/i.test(text))
    return new AuditFailure(`No ledger at ${place}: check the URL, or run npm run migrate.`);
  if (
    /authentication failed|role .* does not exist|database .* does not exist|AuthenticationFailed|DatabaseDoesNotExist/i.test(
      text,
    )
  ) {
    return new AuditFailure(`${place} does not let this user in: check user, password and database name.`);
  }
  if (databaseFailure(error).kind === 'unknown')
    return new AuditFailure(`No answer from ${place}: check that it runs, then try again.`);
  return error;
}

function messagesOf(error: unknown, depth = 0): string {
  if (typeof error !== 'object' || error === null || depth > 6) return '';
  const { message, originalMessage, cause, meta, driverAdapterError } = error as Record<string, unknown>;
  const inner = [cause, meta, driverAdapterError].map((layer) => messagesOf(layer, depth + 1));
  return [message, originalMessage]
    .filter((text) => typeof text === 'string')
    .concat(inner)
    .join('\n');
}
