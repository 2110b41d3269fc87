/**
 * Whether rows of the ledger's tables can be read, or something be put beside them, by rights that the owner lends: a view shows
 * them with his rights to each login that may look at it, a function runs with them for each that may call it, and neither needs a
 * grant on a table.
 */
import { Sql } from '@stablecoin/persistence/sql';
import { Brought } from './brought-by-extensions';
import { MADE_LATER } from './made-later';
import { SchemaFault } from './schema-fault';

/** What Postgres keeps from every login, and what is in it. */
const TELLING: Readonly<Record<string, string>> = {
  pg_authid: 'the hashes of passwords',
  pg_shadow: 'the hashes of passwords',
  pg_statistic: 'the commonest values of all columns',
  pg_statistic_ext_data: 'the commonest values of columns together',
  pg_user_mapping: 'passwords for other servers',
  pg_largeobject: 'all large objects',
};

/**
 * @param sql whose search path is that of the catalogue
 * @param tables the ledger's
 * @param functions the ledger's, in the schema public
 */
export const lentRightsFaults = (
  sql: Sql,
  { tables, functions, brought }: { tables: readonly string[]; functions: readonly string[]; brought: Brought },
): PromiseLike<SchemaFault[]> => sql.$queryRaw<SchemaFault[]>`
  WITH ours AS (
    SELECT oid, relname, relowner FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY (${tables}::text[])
  ), owner AS (
    SELECT DISTINCT relowner FROM ours
  ), administrators AS (
    SELECT oid FROM pg_roles WHERE rolsuper OR rolcreaterole
  ), reading AS (
    SELECT ev_class, refobjid AS read FROM pg_depend JOIN pg_rewrite ON classid = 'pg_rewrite'::regclass AND objid = pg_rewrite.oid
    WHERE refclassid = 'pg_class'::regclass
    -- A superuser can take out what pg_depend says of a view; what the view itself consists of names what it reads.
    UNION SELECT ev_class, said[1]::oid FROM pg_rewrite CROSS JOIN LATERAL regexp_matches(ev_action::text, ':relid (\\d+)', 'g') AS said
    WHERE pg_rewrite.oid >= ${MADE_LATER}::oid
  ), telling AS (
    SELECT oid, relname, relowner, relacl, told FROM pg_class
    JOIN unnest(${Object.keys(TELLING)}::text[], ${Object.values(TELLING)}::text[]) AS telling (name, told) ON name = relname
    WHERE relnamespace = 'pg_catalog'::regnamespace
  ), brought AS (
    SELECT * FROM unnest(${brought.catalogues}::oid[], ${brought.objects}::oid[]) AS brought (classid, objid)
  )
  SELECT DISTINCT format('view %s', ev_class::regclass) AS of,
    format('it shows rows of %s with the rights of its owner, without a right on the table', relname) AS problem
  FROM reading JOIN ours ON read = ours.oid WHERE ev_class NOT IN (SELECT oid FROM ours)
  UNION ALL
  SELECT DISTINCT format('view %s', ev_class::regclass), format('it shows %s with the rights of its owner', told)
  FROM reading JOIN telling ON read = telling.oid WHERE ev_class >= ${MADE_LATER}::oid
  UNION ALL
  SELECT format('function %s', pg_proc.oid::regprocedure),
    format('it runs with the rights of %s for who calls it, and is none of the ledger''s', proowner::regrole)
  FROM pg_proc WHERE prosecdef AND (('pg_proc'::regclass)::oid, pg_proc.oid) NOT IN (SELECT classid, objid FROM brought)
    AND NOT (pronamespace = 'public'::regnamespace AND proname = ANY (${functions}::text[]))
    AND (SELECT bool_or(has_table_privilege(proowner, ours.oid, 'SELECT')) FROM ours)
  UNION ALL
  SELECT 'schema public', format('%s may %s: what is made there is looked up with the ledger''s own', CASE grantee WHEN 0 THEN 'PUBLIC'
    ELSE grantee::regrole::text END, privilege_type)
  FROM pg_namespace CROSS JOIN LATERAL aclexplode(nspacl)
  WHERE nspname = 'public' AND privilege_type = 'CREATE' AND grantee <> nspowner AND grantee NOT IN (SELECT relowner FROM owner)
  UNION ALL
  SELECT 'schema public', format('it is %s''s, who may take any of its tables away, and make others', nspowner::regrole)
  FROM pg_namespace WHERE nspname = 'public' AND nspowner NOT IN (SELECT relowner FROM owner)
    AND nspowner <> 'pg_database_owner'::regrole AND nspowner NOT IN (SELECT oid FROM administrators)
  UNION ALL
  SELECT DISTINCT format('table %s', relname),
    format('%s may %s: it has %s, and Postgres keeps it from every login', CASE grantee WHEN 0 THEN 'PUBLIC'
    ELSE grantee::regrole::text END, privilege_type, told)
  FROM (
    SELECT relname, relowner, told, rights.* FROM telling CROSS JOIN LATERAL aclexplode(relacl) AS rights
    UNION ALL SELECT relname, relowner, told, rights.* FROM telling JOIN pg_attribute ON attrelid = telling.oid
    CROSS JOIN LATERAL aclexplode(attacl) AS rights
  ) AS granted
  WHERE grantee <> relowner AND grantee NOT IN (SELECT oid FROM administrators)`;
