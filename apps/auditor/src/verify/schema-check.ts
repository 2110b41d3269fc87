/**
 * Whether the ledger reads the tables that were compared, and all of their rows. Who owns the tables can leave every row as it is and
 * have the ledger's login see others: by another schema before `public` in its search path, by row-level security, by a rule, a
 * view in a table's place, or a trigger of his own. None of that is in a migration of the ledger.
 */
import {
  DERIVED_TABLES,
  FOLLOWING_THE_LOG,
  KEPT_BY_TRIGGERS,
  PROJECTION_TABLES,
} from '@stablecoin/ledger-store/projections/tables';
import { Sql } from '@stablecoin/persistence/sql';
import { Brought, broughtByExtensions } from './brought-by-extensions';
import { carriedRowsFaults } from './carried-rows';
import { lentRightsFaults } from './lent-rights';
import { loginFaults } from './login-faults';
import { MADE_LATER } from './made-later';
import { postgresOwnFaults } from './postgres-own';
import { rightsBesideTablesFaults } from './rights-beside-tables';
import { SchemaFault } from './schema-fault';
import { partFaults } from './table-parts';

/** All tables that hold a part of a log, follow from one, answer a caller, or are written by every session of the ledger in turn. */
export const TABLES = [
  ...new Set<string>([
    ...['ledger_events', 'ledger_shards', 'ledger_checkpoints', 'ledger_checkpoint_keys', 'ledger_tree_nodes'],
    ...['ledger_liabilities', 'ledger_liability_tiles', 'command_results', 'relay_checkpoints'],
    ...PROJECTION_TABLES.map(({ table }) => table),
    ...[...KEPT_BY_TRIGGERS, ...DERIVED_TABLES, ...FOLLOWING_THE_LOG, 'ledger_instances'],
  ]),
];
/** By which a service looks whether it is ready, in a session that it goes on to use: what runs there runs as in any other. */
const MIGRATIONS_TABLE = '_prisma_migrations';
/** All that sessions of the ledger look at. */
const LOOKED_AT = [...TABLES, MIGRATIONS_TABLE];
/** By which each wallet gets an address of its own. */
const ADDRESS_COUNTER = 'deposit_address_index';
/** As the migrations make them: name, table, and the first half of the SHA-256 of its definition, its condition among it. */
const TRIGGERS = [
  'ledger_events_are_append_only ledger_events 515b32368a575c26c021374cd0ab85d8',
  'ledger_checkpoints_are_append_only ledger_checkpoints 622f3c0cbda093ef9d74da1296ba56cc',
  'ledger_liabilities_are_append_only ledger_liabilities bf840353ab211a9066c16512ae9bacb0',
  'transactions_are_counted_when_opened transactions 97c42662d3ea8328c1d90b99c21fd95b',
  'transactions_are_counted_when_moved transactions b5a6164373e3cb294721641ccf6fc440',
  'transactions_are_counted_when_removed transactions 1a6be6e46a273685d2daddda7ca1f385',
  'transactions_are_counted_when_emptied transactions e0f61c6c11bc7aed67785d784934f4f8',
  'shards_are_counted_before_they_are_taken ledger_shards 5017f04344cefb577478dc3aa2126aa0',
  'shards_that_moved_are_not_taken ledger_shards 145c1beaad41a69577201c8ad24ca4fe',
];
/** These only keep the owner from a mistake: without them nothing is seen, or written, otherwise. */
const AGAINST_MISTAKES = '%_are_append_only %';

/** Tables in which the role that reads for merchants sees one merchant's rows; the service and the auditor see all. */
const WALLED = ['wallets', 'payout_policies', 'transactions', 'transaction_counts', 'daily_figures'];
const OF_THE_MERCHANT = "(merchant_id = (NULLIF(current_setting('app.merchant_id'::text, true), ''::text))::uuid)";
const POLICIES = [
  'of_the_auditor PERMISSIVE {ledger_auditor} SELECT true',
  `of_the_merchant PERMISSIVE {ledger_merchant} SELECT ${OF_THE_MERCHANT}`,
  'of_the_service PERMISSIVE {ledger_app} ALL true',
];
/**
 * The SHA-256 of each function that merchants' rows are read through, or that a trigger runs: its text, language, arguments,
 * result, whose rights and which settings it runs with, and whether it is asked each time.
 */
const FUNCTIONS = {
  count_transactions: 'a20e8d0bb491c2ad2fe06e0f9cd64c94512c30dcac5ace700d89494d2d88c306',
  merchants_balances: '1a2a68ff55c5e4869558630b1c4121c2dfd7c8793907764f51ed77902d70c378',
  merchants_deposit_addresses: 'fb2a12b1854a578df55b4c41c7f1d7f19ab7fe6d51d9615cab5f4e0b1c9e8ce2',
  merchants_transactions_with_part: '236d2d6cf62009c4b13cffd25e6f40e012ed3b76b36e474d936c45ff950e2956',
  refuse_a_shard_that_moved: '5945eb10591a7a0fcd5c95796120d63b475672bf0077d49efec733ae5bb53825',
  refuse_an_uncounted_shard: '73154aee009dfb6e1c508d0ae7f40442116d69b675eabf319ec68e92c25a5882',
  refuse_to_change_the_log: '5b08cffe02da56256dcb1b00c9198c6ee7846505e1fc65ae2d540967edba9485',
};

/**
 * @param snapshot a transaction; its search path is that of the auditor afterwards
 */
export async function findSchemaFaults(snapshot: Sql): Promise<SchemaFault[]> {
  // Nothing that somebody has made is looked up in place of the catalogue's own, temporary tables neither.
  await snapshot.$executeRaw`SET LOCAL search_path TO pg_catalog, pg_temp`;
  const brought = await broughtByExtensions(snapshot);
  const parts = await partFaults(snapshot);
  const meaning = await meaningFaults(snapshot, brought);
  const faults = [
    ...(await tableFaults(snapshot)),
    // What decides a part is named rather than the part.
    ...parts.filter(({ of }) => !meaning.some((fault) => fault.of === of)),
    ...(await programFaults(snapshot, brought)),
    ...meaning,
    ...(await postgresOwnFaults(snapshot)),
    ...(await carriedRowsFaults(snapshot, TABLES)),
    ...(await lentRightsFaults(snapshot, { tables: TABLES, functions: Object.keys(FUNCTIONS), brought })),
    ...(await rightsBesideTablesFaults(snapshot, { tables: TABLES, brought })),
    ...(await loginFaults(snapshot)),
  ];
  await snapshot.$executeRaw`SET LOCAL search_path TO public`;
  return faults.toSorted((one, other) => one.of.localeCompare(other.of));
}

/** Whether each table is one, with the rows that the migrations let each login see. */
const tableFaults = (sql: Sql): PromiseLike<SchemaFault[]> => sql.$queryRaw<SchemaFault[]>`
  WITH ours AS (
    SELECT name, pg_class.oid, relkind, relpersistence, relowner, relrowsecurity, relforcerowsecurity, relhasindex, relhastriggers,
      relchecks FROM unnest(${LOOKED_AT}::text[]) AS name
    LEFT JOIN pg_class ON relname = name AND relnamespace = 'public'::regnamespace
  )
  SELECT name AS of, 'it is no table' AS problem FROM ours WHERE relkind IS DISTINCT FROM 'r'
  UNION ALL
  SELECT name, 'it is unlogged: after a crash, and in a backup, it is empty' FROM ours WHERE relpersistence <> 'p'
  UNION ALL
  SELECT relname, 'it is unlogged: after a crash, and in a backup, it counts from its beginning' FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relname = ${ADDRESS_COUNTER} AND relpersistence <> 'p'
  UNION ALL
  SELECT name, format('it is %s''s, and not his who owns the others', relowner::regrole)
  FROM (SELECT name, relowner FROM ours UNION ALL SELECT relname, relowner FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relname = ${ADDRESS_COUNTER}) AS owned
  WHERE relowner <> (SELECT mode() WITHIN GROUP (ORDER BY relowner) FROM ours)
  UNION ALL
  SELECT name, 'row-level security decides who sees which of its rows, and not as the ledger''s migrations do' FROM ours
  WHERE relforcerowsecurity OR relrowsecurity <> (name = ANY (${WALLED}::text[])) OR relrowsecurity AND ${POLICIES}::text[] <> ARRAY (
    SELECT concat_ws(' ', polname, CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
      ARRAY (SELECT role::regrole::text FROM unnest(polroles) AS role),
      CASE polcmd WHEN 'r' THEN 'SELECT' WHEN '*' THEN 'ALL' ELSE polcmd::text END,
      pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
    FROM pg_policy WHERE polrelid = ours.oid ORDER BY polname)
  UNION ALL
  -- Postgres looks for these only where the table says that it has some; a superuser can have it say that it has none.
  SELECT name, 'none of its indexes is kept or used any more' FROM ours
  WHERE NOT relhasindex AND EXISTS (SELECT FROM pg_index WHERE indrelid = ours.oid)
  UNION ALL
  SELECT name, 'none of its triggers runs any more' FROM ours
  WHERE NOT relhastriggers AND EXISTS (SELECT FROM pg_trigger WHERE tgrelid = ours.oid)
  UNION ALL
  SELECT name, 'not all of its conditions are asked any more' FROM ours
  WHERE relchecks <> (SELECT count(*) FROM pg_constraint WHERE conrelid = ours.oid AND contype = 'c')
  UNION ALL
  -- Postgres keeps foreign keys in the session that deletes, or changes, a row which they name; their table's triggers run there.
  SELECT name, format('%s refers to it, so that rows can''t go, or triggers of that table run in the ledger''s session', conrelid::regclass)
  FROM ours JOIN pg_constraint ON confrelid = ours.oid WHERE NOT EXISTS (SELECT FROM ours AS other WHERE other.oid = conrelid)
  UNION ALL
  SELECT name, format('rows of %s are taken for its own', inhrelid::regclass) FROM ours JOIN pg_inherits ON inhparent = ours.oid
  UNION ALL
  SELECT name, format('rule %s rewrites what is asked of it', rulename) FROM ours JOIN pg_rewrite ON ev_class = ours.oid
  WHERE relkind = 'r'
  UNION ALL
  SELECT format('schema %s', nspname), format('its %s is read in the place of the ledger''s by the login of that name', relname)
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE to_regrole(quote_ident(nspname)) IS NOT NULL AND relname = ANY (${TABLES}::text[])
  UNION ALL
  SELECT 'schema pg_catalog', format('its %s is read in the place of the ledger''s, whatever the search path', relname)
  FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relname = ANY (${TABLES}::text[])`;

/** Whether what runs in the database is what the migrations have put there. What an extension brings is left out. */
const programFaults = (sql: Sql, brought: Brought): PromiseLike<SchemaFault[]> => sql.$queryRaw<SchemaFault[]>`
  WITH functions AS (
    SELECT pg_proc.oid, proname, proowner, prorettype, pronamespace = 'public'::regnamespace AS in_public,
      encode(sha256(convert_to(concat_ws(E'\n', prosrc, lanname, pg_get_function_identity_arguments(pg_proc.oid),
      pg_get_function_result(pg_proc.oid), prosecdef, proconfig, provolatile, proisstrict, prosupport::oid), 'UTF8')), 'hex') AS hash
    FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
  ), ours AS (
    SELECT name, hash FROM unnest(${Object.keys(FUNCTIONS)}::text[], ${Object.values(FUNCTIONS)}::text[]) AS ours (name, hash)
  ), triggers AS (
    SELECT relname, tgname, tgenabled, concat_ws(' ', tgname, relname,
      left(encode(sha256(convert_to(pg_get_triggerdef(pg_trigger.oid), 'UTF8')), 'hex'), 32)) AS made
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    -- Those of foreign keys are Postgres' own; a superuser can call another one so.
    WHERE NOT (tgisinternal AND tgfoid < ${MADE_LATER}::oid AND proname LIKE 'RI\\_FKey\\_%')
      AND relnamespace = 'public'::regnamespace AND relname = ANY (${LOOKED_AT}::text[])
  ), brought AS (
    SELECT * FROM unnest(${brought.catalogues}::oid[], ${brought.objects}::oid[]) AS brought (classid, objid)
  )
  SELECT format('function %s', name) AS of, 'it does something else than the ledger''s' AS problem
  FROM ours WHERE NOT EXISTS (SELECT FROM functions WHERE in_public AND proname = name AND functions.hash = ours.hash)
    OR EXISTS (SELECT FROM functions WHERE proname = name AND NOT (in_public AND functions.hash = ours.hash))
  UNION ALL
  SELECT format('function %s', proname), format('it runs with the rights of %s, who does not own the tables', proowner::regrole)
  FROM functions JOIN ours ON name = proname
  WHERE in_public AND proowner <> (SELECT relowner FROM pg_class WHERE pg_class.oid = to_regclass('public.wallets'))
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
  SELECT format('event trigger %s', evtname), CASE evtevent WHEN 'login' THEN 'it runs in each new session, before anything else'
    ELSE 'it runs wherever a table is made or changed, the auditor''s own among them' END
  FROM pg_event_trigger WHERE evtenabled <> 'D' AND (('pg_proc'::regclass)::oid, evtfoid) NOT IN (SELECT classid, objid FROM brought)`;

/**
 * Whether what the tables are made of is Postgres' own: columns and indexes of its types, collations and operator classes;
 * conditions, defaults and expressions of its functions, since each of them runs in the ledger's session and can set another
 * search path there; and whether a value that is cast is cast by Postgres. What an extension brings is left out.
 */
const meaningFaults = (sql: Sql, brought: Brought): PromiseLike<SchemaFault[]> => sql.$queryRaw<SchemaFault[]>`
  WITH ours AS (
    SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY (${LOOKED_AT}::text[])
  ), parts AS (
    SELECT 'pg_class'::regclass AS classid, oid AS objid, relname FROM ours
    UNION ALL SELECT 'pg_class'::regclass, indexrelid, relname FROM pg_index JOIN ours ON ours.oid = indrelid
    UNION ALL SELECT 'pg_constraint'::regclass, pg_constraint.oid, relname FROM pg_constraint JOIN ours ON ours.oid = conrelid
    UNION ALL SELECT 'pg_attrdef'::regclass, pg_attrdef.oid, relname FROM pg_attrdef JOIN ours ON ours.oid = adrelid
  ), brought AS (
    SELECT * FROM unnest(${brought.catalogues}::oid[], ${brought.objects}::oid[]) AS brought (classid, objid)
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
