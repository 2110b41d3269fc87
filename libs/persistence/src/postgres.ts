import { ClientBase } from 'pg';
import { DeadlinePool } from './deadline-pool';
import { clientOfMerchants } from './client-of-merchants';
import { clientWithAnswerTimeout } from './client-with-answer-timeout';
import { clientWithPreparedStatements } from './client-with-prepared-statements';
import { ObservedPrismaPg, PoolName } from './observed-pool';

export interface PostgresOptions {
  url: string;
  /** Shown by the database beside each connection. */
  applicationName: string;
  /** The maximum of connections. */
  poolSize: number;
  /** In the metrics; where a process has one pool, `main`. */
  poolName?: PoolName;
  /** In the metrics, before the pool's name; for a process that has several databases of one kind. */
  databaseName?: string;
  /** The role under which statements run that are for one merchant (`MerchantReads`); without it there are none. */
  merchantRole?: string;
  /** Only for work without a deadline: an audit's long scans. */
  statementTimeoutMs?: number;
  idleTransactionTimeoutMs?: number;
  /** Only for work that writes nothing and may see an older state: an audit. Services treat a standby as away. */
  takesStandby?: boolean;
  /** Only for long statements: one ends soon after the process that sent it, and not at its timeout, where the database can look. */
  endsWithItsProcess?: boolean;
}

/** Shorter than Prisma's own transaction limit, so that the database gives up before the client does. */
const STATEMENT_TIMEOUT_MS = 4_000;
/** A process that was paused or cut off keeps its row locks for this long, a shard's head among them. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000;
/**
 * Postgres notices that a client is gone when it answers, unless it looks meanwhile. Versions before 14 do not know the setting, and some
 * systems can not look: as a statement of its own it does no harm there, whereas a session that begins with it would be refused.
 */
const LOOK_FOR_CLIENT = "SELECT set_config('client_connection_check_interval', '2s', false)";
/** How long after the end of its own limit the database may take to report it, before the connection counts as gone. */
const ANSWER_MARGIN_MS = 500;
/**
 * Prisma takes every session's time for UTC, whatever zone the database was made in, and reads it in ISO's form. And tables are those of
 * the migrations, whatever path who owns the database has set for a login, for the database, or in the configuration of the server.
 */
const EVERY_SESSION = '-c TimeZone=UTC -c DateStyle=ISO -c search_path=public';
/**
 * How a pool's sessions plan what they have prepared. What is written touches the same few rows whatever its values are:
 * one plan does. A list of a merchant with a million rows wants another plan than that of one with ten: it is planned for
 * its values each time.
 */
const SESSION_SETTINGS: Record<PoolName, string> = {
  main: EVERY_SESSION,
  reads: `${EVERY_SESSION} -c plan_cache_mode=force_custom_plan`,
};
export const TRANSACTION_LIMITS = { maxWait: 2_000, timeout: 4_500 } as const;

/**
 * The adapter through which a Prisma client uses `pg`: every wait is bounded, and nothing begins after its deadline.
 */
export function postgresAdapter(options: PostgresOptions): ObservedPrismaPg {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const { merchantRole } = options;
  const bounded = clientWithAnswerTimeout(statementTimeoutMs + ANSWER_MARGIN_MS, options.takesStandby ?? false);
  const pool = new DeadlinePool({
    Client: clientWithPreparedStatements(
      merchantRole === undefined ? bounded : clientOfMerchants(bounded, merchantRole),
    ),
    connectionString: options.url,
    application_name: options.applicationName,
    options: SESSION_SETTINGS[options.poolName ?? 'main'],
    max: options.poolSize,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: options.idleTransactionTimeoutMs ?? IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    ...(options.endsWithItsProcess && { onConnect: lookForClient }),
  });
  const { databaseName, poolName = 'main' } = options;
  return new ObservedPrismaPg(pool, databaseName === undefined ? poolName : `${databaseName} ${poolName}`);
}

/**
 * Where it fails, statements last until their timeout; of a connection that is gone the next statement says so.
 *
 * @returns a promise: the pool waits for it, which its types do not say
 */
const lookForClient = (client: ClientBase): unknown => client.query(LOOK_FOR_CLIENT).catch(() => undefined);
