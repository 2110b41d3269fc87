/** Whether sessions begin with other settings, and whether a login may more than the migrations let it. */
import { Sql } from '@stablecoin/persistence/sql';
import type { SchemaFault } from './schema-fault';

/** Every role to which a migration grants something, of all databases: one server may have them all. */
export const OF_MIGRATIONS = [
  ...['ledger_app', 'ledger_auditor', 'ledger_merchant', 'customer_app', 'customer_compliance', 'customer_merchant'],
  ...['swap_app', 'payout_app', 'chain_app', 'chain_auditor', 'backoffice_app', 'backoffice_audit_runner'],
];
/** A member of one of these has rights in every database, on the machine, or on sessions and statements of others. */
const WITH_RIGHTS = [
  ...['pg_read_all_data', 'pg_write_all_data', 'pg_maintain', 'pg_database_owner', 'pg_read_server_files'],
  ...['pg_write_server_files', 'pg_execute_server_program', 'pg_read_all_stats', 'pg_signal_backend'],
];
/** By which what is asked means something else, a search leaves rows out, no trigger runs, or a damaged page is read as an empty one. */
const MISREADING = [
  ...[
    'session_replication_role',
    'transform_null_equals',
    'array_nulls',
    'extra_float_digits',
    'plpgsql.variable_conflict',
  ],
  ...['zero_damaged_pages', 'ignore_checksum_failure', 'gin_fuzzy_search_limit'],
];
/** A session that shows rows to a merchant names him by it (OF_THE_MERCHANT); until then it shows none. */
const MERCHANT_SETTING = 'app.merchant_id';
/** As the migrations make them. */
const MEMBERS = ['ledger_app of ledger_merchant', 'customer_app of customer_merchant'];

/** @param sql whose search path is that of the catalogue */
export const loginFaults = (sql: Sql): PromiseLike<SchemaFault[]> => sql.$queryRaw<SchemaFault[]>`
  WITH logins AS (
    SELECT to_regrole(name)::oid AS oid, name FROM unnest(${OF_MIGRATIONS}::text[]) AS name WHERE to_regrole(name) IS NOT NULL
  ), set_for AS (
    SELECT CASE setrole WHEN 0 THEN 'login of any name' ELSE format('login %s', setrole::regrole) END AS of,
      split_part(setting, '=', 1) AS name,
      split_part(setting, '=', 2) AS value,
      setrole IN (to_regrole('ledger_auditor')::oid, to_regrole(quote_ident(session_user))::oid) IS TRUE AS is_the_auditors
    FROM pg_db_role_setting CROSS JOIN unnest(setconfig) AS setting
    WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    UNION ALL
    SELECT 'the configuration of the server', name, reset_val, false FROM pg_show_all_settings()
    WHERE name = ANY (${[...MISREADING, 'row_security', 'synchronous_commit', 'fsync']}::text[])
      AND reset_val <> boot_val
    UNION ALL
    -- Postgres lists no setting that it does not know.
    SELECT 'the configuration of the server', ${MERCHANT_SETTING}, '', false
    WHERE current_setting(${MERCHANT_SETTING}, true) <> ''
  )
  SELECT of, format('it is set to another %s', name) AS problem FROM set_for
  WHERE name IN ('search_path', 'row_security', 'local_preload_libraries', 'session_preload_libraries', 'role', 'fsync')
    OR name = ANY (${MISREADING}::text[]) OR name = 'synchronous_commit' AND value NOT IN ('on', 'remote_apply')
    OR name = 'DateStyle' AND value NOT ILIKE 'iso%' OR lower(name) = ${MERCHANT_SETTING}
  UNION ALL
  -- What the server is set to is seen only in a session that is set to nothing itself.
  SELECT of, 'it is set to a synchronous_commit, so that verify does not see that of the server' FROM set_for
  WHERE name = 'synchronous_commit' AND value IN ('on', 'remote_apply') AND is_the_auditors
  UNION ALL
  SELECT format('login %s', rolname), 'no policy keeps it from other merchants'' rows' FROM pg_roles
  WHERE rolname = 'ledger_merchant' AND (rolsuper OR rolbypassrls)
  UNION ALL
  SELECT format('login %s', rolname), 'it may do more than the migrations let it: it is a superuser''s, or one that makes others'
  FROM pg_roles WHERE rolname = ANY (${OF_MIGRATIONS}::text[]) AND rolname <> 'ledger_merchant'
    AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication)
  UNION ALL
  SELECT 'login ledger_merchant', format('it sees what %s sees, so other merchants'' rows as well', roleid::regrole)
  FROM pg_auth_members WHERE member = 'ledger_merchant'::regrole
  UNION ALL
  SELECT format('login %s', logins.name), format('it may do what %s may, and no migration has let it', other.name)
  FROM logins CROSS JOIN (
    SELECT oid, name FROM logins
    UNION SELECT to_regrole(name)::oid, name FROM unnest(${WITH_RIGHTS}::text[]) AS name
    UNION SELECT relowner, relowner::regrole::text FROM pg_class WHERE oid = to_regclass('public.ledger_events')
  ) AS other
  WHERE logins.oid <> other.oid AND logins.name <> 'ledger_merchant' AND other.oid IS NOT NULL
    AND format('%s of %s', logins.name, other.name) <> ALL (${MEMBERS}::text[]) AND pg_has_role(logins.oid, other.oid, 'MEMBER')
    -- A superuser may do all of it, and is named as one where the view of roles shows that.
    AND (SELECT rolsuper FROM pg_roles WHERE pg_roles.oid = logins.oid) IS NOT TRUE
    -- What the role of merchants may do is named of that role.
    AND NOT EXISTS (SELECT FROM logins AS merchants WHERE merchants.name = replace(logins.name, '_app', '_merchant')
      AND logins.name <> merchants.name AND pg_has_role(merchants.oid, other.oid, 'MEMBER'))`;
