/**
 * Whether rows of the ledger's tables can be read, or something be put beside them, by rights that the owner lends: a view shows
 * them with his rights to each login that may look at it, a function runs with them for each that may call it, and neither needs a
 * grant on a table.
 */
import { Sql } from '@stablecoin/persistence/sql';
import { Brought } from './brought-by-extensions';
import { SchemaFault } from './schema-fault';

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
  ), brought AS (
    SELECT * FROM unnest(${brought.catalogues}::oid[], ${brought.objects}::oid[]) AS brought (classid, objid)
  )
  SELECT DISTINCT format('view %s', ev_class::regclass) AS of,
    format('it shows rows of %s with the rights of its owner, without a right on the table', relname) AS problem
  FROM pg_depend JOIN pg_rewrite ON classid = 'pg_rewrite'::regclass AND objid = pg_rewrite.oid
  JOIN ours ON refclassid = 'pg_class'::regclass AND refobjid = ours.oid WHERE ev_class NOT IN (SELECT oid FROM ours)
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
  WHERE nspname = 'public' AND privilege_type = 'CREATE' AND grantee <> nspowner AND grantee NOT IN (SELECT relowner FROM owner)`;
