/**
 * Whether what Postgres brings is as the server was made. Each statement of the ledger's and of verify's calls functions of Postgres'
 * own, and some read its views; a superuser can put others in their place under the same names. One that is written in SQL becomes a part
 * of each statement that calls it, so that `balance >= 5` asks what he likes.
 *
 * What initdb makes it makes in the first transactions that a server ever has, and a row keeps the number of its transaction until it
 * is changed: freezing it leaves it there, and so does a copy of the database.
 */
import { Sql } from '@stablecoin/persistence/sql';
import { MADE_LATER } from './made-later';
import { SchemaFault } from './schema-fault';

/** The transaction in which initdb makes operators, casts, types and their like (Postgres' BootstrapTransactionId). */
const MADE_BY_BOOTSTRAP = '1';
/**
 * It makes views, functions, aggregates and languages until here, and then templates of databases; what anybody does
 * is later, in all of 13 to 18.
 */
const LAST_OF_INITDB = 720;
/** A correction of Postgres (CVE-2024-4317) has servers make these anew. */
const CORRECTED = 'pg_stats_ext%';
/** Functions of which a login may be given the right, and whose programs' names are others: name and program. */
const OTHERWISE_NAMED = [
  ...[
    'current_setting show_config_by_name',
    'current_setting show_config_by_name_missing_ok',
    'transaction_timestamp now',
  ],
  ...['txid_current pg_current_xact_id', 'uuidv4 gen_random_uuid'],
];

/**
 * A right that was granted on a function changes its row as well. Where its language is Postgres' own that is nearly all that a
 * change could do: what such a function runs is found by its number. But one that is said to answer always the same is asked once,
 * and its answer kept with the statement: current_setting(), so that each merchant's rows are the first one's, or now(). So such a
 * one is named also with a right; and one that is said to tell nothing, which is asked before row-level security; and one for which the
 * planner asks another function (SUPPORT), which may put something else in the place of a call: its first argument, for instance. And
 * one whose name is not that of its program any more: two that have exchanged their names are each called in the place of the other.
 *
 * @param sql whose search path is that of the catalogue
 */
export const postgresOwnFaults = (sql: Sql): PromiseLike<SchemaFault[]> => sql.$queryRaw<SchemaFault[]>`
  SELECT pg_describe_object(catalogue, oid, 0) AS of, 'it is Postgres'' own, and was changed since the server was made' AS problem
  FROM (
    SELECT 'pg_operator'::regclass AS catalogue, oid, xmin FROM pg_operator UNION ALL SELECT 'pg_cast'::regclass, oid, xmin FROM pg_cast
    UNION ALL SELECT 'pg_opclass'::regclass, oid, xmin FROM pg_opclass UNION ALL SELECT 'pg_amproc'::regclass, oid, xmin FROM pg_amproc
    UNION ALL SELECT 'pg_amop'::regclass, oid, xmin FROM pg_amop
    UNION ALL SELECT 'pg_proc'::regclass, aggfnoid, xmin FROM pg_aggregate
  ) AS own
  WHERE oid < ${MADE_LATER}::oid AND xmin <> ${MADE_BY_BOOTSTRAP}::xid
  UNION ALL
  SELECT pg_describe_object(catalogue, oid, 0), 'it is Postgres'' own, and was changed since the server was made'
  FROM (
    SELECT 'pg_proc'::regclass AS catalogue, pg_proc.oid, pg_proc.oid AS made, pg_proc.xmin FROM pg_proc
    JOIN pg_language ON pg_language.oid = prolang
    WHERE lanname NOT IN ('internal', 'c') OR proacl IS NULL OR provolatile = 'i' OR proleakproof OR prosupport <> 0
      OR strpos(prosrc, proname) = 0 AND strpos(proname, prosrc) = 0 AND concat(proname, ' ', prosrc) <> ALL (${OTHERWISE_NAMED}::text[])
    UNION ALL
    SELECT 'pg_type'::regclass, oid, oid, xmin FROM pg_type WHERE typacl IS NULL
    UNION ALL
    SELECT 'pg_language'::regclass, oid, oid, xmin FROM pg_language WHERE lanacl IS NULL
    UNION ALL
    SELECT 'pg_class'::regclass, ev_class, pg_rewrite.oid, pg_rewrite.xmin FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
    WHERE relnamespace = 'pg_catalog'::regnamespace AND relname NOT LIKE ${CORRECTED}
  ) AS own
  WHERE made < ${MADE_LATER}::oid AND xmin::text::bigint > ${LAST_OF_INITDB}`;
