/**
 * Whether the ledger reads the tables that were compared, and all of their rows. Who owns the tables can leave every row as it is and
 * have the ledger's login see others: by another schema before `public` in its search path, by row-level security, by a rule, a
 * view in a table's place, or a trigger of his own. None of that is in a migration of the ledger.
 */
import { DERIVED_TABLES, KEPT_BY_TRIGGERS, PROJECTION_TABLES } from '@stablecoin/ledger-store/projections/tables';
import { Sql } from '@stablecoin/persistence/sql';

/** All tables that hold a part of a log, follow from one, answer a caller, or are written by every session of the ledger in turn. */
const TABLES = [
  ...new Set<string>([
    ...['ledger_events', 'ledger_shards', 'ledger_checkpoints', 'ledger_checkpoint_keys', 'ledger_tree_nodes'],
    ...['ledger_liabilities', 'ledger_liability_tiles', 'command_results', 'relay_checkpoints'],
    ...PROJECTION_TABLES.map(({ table }) => table),
    ...[...KEPT_BY_TRIGGERS, ...DERIVED_TABLES, 'transaction_search_progress', 'ledger_instances'],
  ]),
];
/** As the migrations make them: name, table, function, when it runs (pg_trigger.tgtype), and whether it has a condition. */
const TRIGGERS = [
  'ledger_events_are_append_only ledger_events refuse_to_change_the_log 58 f',
  'ledger_checkpoints_are_append_only ledger_checkpoints refuse_to_change_the_log 58 f',
  'ledger_liabilities_are_append_only ledger_liabilities refuse_to_change_the_log 58 f',
  'transactions_are_counted_when_opened transactions count_transactions 4 f',
  'transactions_are_counted_when_moved transactions count_transactions 16 f',
  'transactions_are_counted_when_removed transactions count_transactions 8 f',
  'transactions_are_counted_when_emptied transactions count_transactions 32 f',
  'shards_are_counted_before_they_are_taken ledger_shards refuse_an_uncounted_shard 19 t',
];
/** These only keep the owner from a mistake: without them nothing is seen, or written, otherwise. */
const AGAINST_MISTAKES = '%_are_append_only %';

/** Tables in which the role that reads for merchants sees one merchant's rows; the service and the auditor see all. */
const WALLED = ['wallets', 'payout_policies', 'transactions', 'transaction_counts'];
const OF_THE_MERCHANT = "(merchant_id = (NULLIF(current_setting('app.merchant_id'::text, true), ''::text))::uuid)";
const POLICIES = [
  'of_the_auditor PERMISSIVE {ledger_auditor} SELECT true',
  `of_the_merchant PERMISSIVE {ledger_merchant} SELECT ${OF_THE_MERCHANT}`,
  'of_the_service PERMISSIVE {ledger_app} ALL true',
];
/**
 * The SHA-256 of each function that merchants' rows are read through, or that a trigger runs: its text, language, arguments, and
 * whose rights and which settings it runs with.
 */
const FUNCTIONS = {
  count_transactions: 'ef4fe232207e0fe749172b13ff47ea5c928b1b4991cfd0512f1b8ffa4abdfa46',
  merchants_balances: '19bc6d8ff105f468f86cb656e43554479ff853f45cf56f6fcf66b90493231926',
  merchants_deposit_addresses: '7cc1625201ef0c2cec95b3bd8b58b339087bdf4b1c2833cd64fcd6d5841f7ff7',
  merchants_transactions_with_part: 'b0e8db2e379bdca14ddd9e00314b62a206052b904977f9fcbb912a2465d46b44',
  refuse_an_uncounted_shard: 'd98eb4db9474abea76ba6a22c894e7bcca3092ae4254c9733702ae613e427616',
  refuse_to_change_the_log: '52ceeab730373b5cdf1a828b5e45485eed2477e20231cfc4abcf8d9101f09d29',
};

/** What initdb has not made has an OID from here on (Postgres' FirstNormalObjectId). */
const MADE_LATER = 16_384;

export interface SchemaFault {
  /** A table, or a role. */
  of: string;
  problem: string;
}

/**
 * @param snapshot a transaction; its search path is that of the auditor afterwards
 */
export async function findSchemaFaults(snapshot: Sql): Promise<SchemaFault[]> {
  // Nothing that somebody has made is looked up in place of the catalogue's own, temporary tables neither.
  await snapshot.$executeRaw`SET LOCAL search_path TO pg_catalog, pg_temp`;
  const faults = [
    ...(await tableFaults(snapshot)),
    ...(await programFaults(snapshot)),
    ...(await meaningFaults(snapshot)),
    ...(await loginFaults(snapshot)),
  ];
  await snapshot.$executeRaw`SET LOCAL search_path TO public`;
  return faults.toSorted((one, other) => one.of.localeCompare(other.of));
}

/** Whether each table is one, with the rows that the migrations let each login see. */
const tableFaults = (sql: Sql): PromiseLike<SchemaFault[]> => sql.$queryRaw<SchemaFault[]>`
  WITH ours AS (
    SELECT name, pg_class.oid, relkind, relrowsecurity, relforcerowsecurity FROM unnest(${TABLES}::text[]) AS name
    LEFT JOIN pg_class ON relname = name AND relnamespace = 'public'::regnamespace
  )
  SELECT name AS of, 'it is no table' AS problem FROM ours WHERE relkind IS DISTINCT FROM 'r'
  UNION ALL
  SELECT name, 'row-level security decides who sees which of its rows, and not as the ledger''s migrations do' FROM ours
  WHERE relforcerowsecurity OR relrowsecurity <> (name = ANY (${WALLED}::text[])) OR relrowsecurity AND ${POLICIES}::text[] <> ARRAY (
    SELECT concat_ws(' ', policyname, permissive, roles, cmd, qual, with_check) FROM pg_policies
    WHERE schemaname = 'public' AND tablename = name ORDER BY policyname)
  UNION ALL
  SELECT name, format('rows of %s are taken for its own', inhrelid::regclass) FROM ours JOIN pg_inherits ON inhparent = ours.oid
  UNION ALL
  SELECT name, format('rule %s rewrites what is asked of it', rulename) FROM ours JOIN pg_rewrite ON ev_class = ours.oid
  WHERE relkind = 'r'
  UNION ALL
  SELECT format('schema %s', nspname), format('its %s is read in the place of the ledger''s by the login of that name', relname)
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace JOIN pg_roles ON rolname = nspname
  WHERE relname = ANY (${TABLES}::text[])
  UNION ALL
  SELECT 'schema pg_catalog', format('its %s is read in the place of the ledger''s, whatever the search path', relname)
  FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relname = ANY (${TABLES}::text[])`;

/** Whether what runs in the database is what the migrations have put there. What an extension brings is left out. */
const programFaults = (sql: Sql): PromiseLike<SchemaFault[]> => sql.$queryRaw<SchemaFault[]>`
  WITH functions AS (
    SELECT pg_proc.oid, proname, prorettype, pronamespace = 'public'::regnamespace AS in_public, encode(sha256(convert_to(concat_ws(E'\n',
      prosrc, lanname, pg_get_function_identity_arguments(pg_proc.oid), prosecdef, proconfig), 'UTF8')), 'hex') AS hash
    FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
  ), ours AS (
    SELECT name, hash FROM unnest(${Object.keys(FUNCTIONS)}::text[], ${Object.values(FUNCTIONS)}::text[]) AS ours (name, hash)
  ), triggers AS (
    SELECT relname, tgname, tgenabled, concat_ws(' ', tgname, relname, proname, tgtype, tgqual IS NOT NULL) AS made
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE NOT tgisinternal AND relnamespace = 'public'::regnamespace AND relname = ANY (${TABLES}::text[])
  ), brought AS (
    SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
  )
  SELECT format('function %s', name) AS of, 'it does something else than the ledger''s' AS problem
  FROM ours WHERE NOT EXISTS (SELECT FROM functions WHERE in_public AND proname = name AND functions.hash = ours.hash)
    OR EXISTS (SELECT FROM functions WHERE proname = name AND NOT (in_public AND functions.hash = ours.hash))
  UNION ALL
  SELECT format('function %s', oid::regprocedure), 'it is none of the ledger''s, and can be called in the place of one of Postgres'
  FROM functions WHERE in_public AND prorettype <> 'trigger'::regtype AND proname NOT IN (SELECT name FROM ours)
    AND (('pg_proc'::regclass)::oid, oid) NOT IN (SELECT classid, objid FROM brought)
  UNION ALL
  SELECT format('operator %s', oid::regoperator), 'it is none of the ledger''s, and can be used in the place of one of Postgres'
  FROM pg_operator WHERE oprnamespace = 'public'::regnamespace
    AND (('pg_operator'::regclass)::oid, oid) NOT IN (SELECT classid, objid FROM brought)
  UNION ALL
  SELECT relname, format('trigger %s is none of the ledger''s', tgname) FROM triggers WHERE made <> ALL (${TRIGGERS}::text[])
  UNION ALL
  SELECT split_part(expected, ' ', 2), format('trigger %s is missing, or switched off', split_part(expected, ' ', 1))
  FROM unnest(${TRIGGERS}::text[]) AS expected
  WHERE expected NOT LIKE ${AGAINST_MISTAKES} AND NOT EXISTS (SELECT FROM triggers WHERE made = expected AND tgenabled = 'O')
  UNION ALL
  SELECT format('event trigger %s', evtname), 'it runs in each new session, before anything else' FROM pg_event_trigger
  WHERE evtevent = 'login' AND evtenabled <> 'D'`;

/**
 * Whether what the tables are made of is Postgres' own: columns and indexes of its types, collations and operator classes;
 * conditions, defaults and expressions of its functions, since each of them runs in the ledger's session and can set another
 * search path there; and whether a value that is cast is cast by Postgres. What an extension brings is left out.
 */
const meaningFaults = (sql: Sql): PromiseLike<SchemaFault[]> => sql.$queryRaw<SchemaFault[]>`
  WITH ours AS (
    SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY (${TABLES}::text[])
  ), parts AS (
    SELECT 'pg_class'::regclass AS classid, oid AS objid, relname FROM ours
    UNION ALL SELECT 'pg_class'::regclass, indexrelid, relname FROM pg_index JOIN ours ON ours.oid = indrelid
    UNION ALL SELECT 'pg_constraint'::regclass, pg_constraint.oid, relname FROM pg_constraint JOIN ours ON ours.oid = conrelid
    UNION ALL SELECT 'pg_attrdef'::regclass, pg_attrdef.oid, relname FROM pg_attrdef JOIN ours ON ours.oid = adrelid
  ), brought AS (
    SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
  )
  SELECT DISTINCT relname AS of, format('%s decides what it holds, and none of the ledger''s migrations has made that',
    pg_describe_object(refclassid, refobjid, 0)) AS problem
  FROM parts JOIN pg_depend USING (classid, objid)
  WHERE refclassid IN ('pg_proc'::regclass, 'pg_type'::regclass, 'pg_collation'::regclass, 'pg_opclass'::regclass, 'pg_operator'::regclass)
    AND (refclassid, refobjid) NOT IN (SELECT classid, objid FROM brought)
  UNION ALL
  SELECT pg_describe_object('pg_cast'::regclass, oid, 0), 'it is none of Postgres'', and is used for each value of that type'
  FROM pg_cast WHERE oid >= ${MADE_LATER}::oid AND ('pg_cast'::regclass, oid) NOT IN (SELECT classid, objid FROM brought)
  UNION ALL
  SELECT format('function pg_catalog.%s', proname), 'it is none of Postgres'', and can be called in the place of one'
  FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND oid >= ${MADE_LATER}::oid
    AND ('pg_proc'::regclass, oid) NOT IN (SELECT classid, objid FROM brought)
  UNION ALL
  SELECT format('operator pg_catalog.%s', oprname), 'it is none of Postgres'', and can be used in the place of one'
  FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace AND oid >= ${MADE_LATER}::oid
    AND ('pg_operator'::regclass, oid) NOT IN (SELECT classid, objid FROM brought)`;

/** Whether some login's sessions begin with other settings, and whether the role that reads for a merchant sees one merchant's rows. */
const loginFaults = (sql: Sql): PromiseLike<SchemaFault[]> => sql.$queryRaw<SchemaFault[]>`
  SELECT format('login %s', COALESCE(rolname, 'of any name')) AS of,
    format('it is set to another %s', split_part(setting, '=', 1)) AS problem
  FROM pg_db_role_setting CROSS JOIN unnest(setconfig) AS setting LEFT JOIN pg_roles ON pg_roles.oid = setrole
  WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    AND (split_part(setting, '=', 1) IN ('search_path', 'row_security', 'session_replication_role', 'local_preload_libraries',
      'session_preload_libraries', 'role', 'transform_null_equals')
      OR setting LIKE 'synchronous_commit=%' AND split_part(setting, '=', 2) NOT IN ('on', 'remote_apply'))
  UNION ALL
  SELECT 'login ledger_merchant', 'no policy keeps it from other merchants'' rows' FROM pg_roles
  WHERE rolname = 'ledger_merchant' AND (rolsuper OR rolbypassrls)
  UNION ALL
  SELECT 'login ledger_merchant', format('it sees what %s sees, so other merchants'' rows as well', roleid::regrole)
  FROM pg_auth_members WHERE member = 'ledger_merchant'::regrole`;
