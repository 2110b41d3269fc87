/**
 * Whether a login may do what Postgres keeps for administrators, by a right that is on no table: call a function that reads or writes the
 * files of the server, set what the server runs or whether triggers run, or change what a function of Postgres' own runs with; and whether
 * somebody is to have rights on each table that the migrations, or a rebuild, make from now on.
 */
import { Sql } from '@stablecoin/persistence/sql';
import { Brought } from './brought-by-extensions';
import { MADE_LATER } from './made-later';
import { SchemaFault } from './schema-fault';

/**
 * Functions that Postgres keeps from every login, by what is in the names of them and of their programs. It keeps others too, which
 * monitors and backups are given: they show the names of files, or begin a backup.
 */
const KEPT: Readonly<Record<string, string>> = {
  pg_read_file: 'reads the files of the server, those of all tables too',
  pg_read_binary_file: 'reads the files of the server, those of all tables too',
  lo_import: 'reads the files of the server, those of all tables too',
  lo_export: 'writes the files of the server',
  pg_hba_file_rules: 'shows how logins are let in, and passwords of directories',
  show_all_file_settings: 'shows the settings of the server, and passwords for others',
};
/** pg_read_file_old, until Postgres 15: each login may call it, and it asks itself who does. */
const ASKS_ITSELF = 4_100;
/** The role by which the server was made (Postgres' BootstrapSuperuserId). */
const OF_INITDB = 10;

/**
 * @param sql whose search path is that of the catalogue
 * @param tables the ledger's
 */
export const rightsBesideTablesFaults = (
  sql: Sql,
  { tables, brought }: { tables: readonly string[]; brought: Brought },
): PromiseLike<SchemaFault[]> => sql.$queryRaw<SchemaFault[]>`
  WITH owner AS (
    SELECT DISTINCT relowner FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY (${tables}::text[])
  ), administrators AS (
    SELECT oid FROM pg_roles WHERE rolsuper OR rolcreaterole OR oid = ${OF_INITDB}::oid
  ), brought AS (
    SELECT * FROM unnest(${brought.catalogues}::oid[], ${brought.objects}::oid[]) AS brought (classid, objid)
  ), kept AS (
    -- Of its own Postgres runs the program of the number, whatever the row names; of one that was made later, what the row names.
    SELECT pg_proc.oid, proowner, proacl, does FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
    JOIN unnest(${Object.keys(KEPT)}::text[], ${Object.values(KEPT)}::text[]) AS kept (part, does)
      ON lanname = 'internal' AND (strpos(prosrc, part) > 0 OR pg_proc.oid < ${MADE_LATER}::oid AND strpos(proname, part) > 0)
    WHERE pg_proc.oid <> ${ASKS_ITSELF}::oid
  ), granted AS (
    SELECT format('function %s', kept.oid::regprocedure) AS of, grantee, proowner AS owner,
      format('%s: it %s, and Postgres keeps it from every login', privilege_type, does) AS what
    FROM kept CROSS JOIN LATERAL aclexplode(COALESCE(proacl, acldefault('f', proowner)))
    UNION ALL
    SELECT format('setting %s', parname), grantee, ${OF_INITDB}::oid,
      format('%s it, and Postgres keeps that for superusers', privilege_type)
    FROM pg_parameter_acl CROSS JOIN LATERAL aclexplode(paracl)
    UNION ALL
    SELECT format('what %s makes from now on', defaclrole::regrole), grantee, defaclrole,
      format('%s each %s, and none of the ledger''s migrations has granted that', string_agg(privilege_type, ', ' ORDER BY privilege_type),
        CASE defaclobjtype WHEN 'r' THEN 'table' WHEN 'S' THEN 'sequence' ELSE 'function' END)
    FROM pg_default_acl CROSS JOIN LATERAL aclexplode(defaclacl)
    -- Postgres lets all call a new function; whom the migrations let call theirs is compared.
    WHERE defaclrole IN (SELECT relowner FROM owner) AND defaclobjtype IN ('r', 'S', 'f') AND NOT (defaclobjtype = 'f' AND grantee = 0)
    GROUP BY defaclrole, grantee, defaclobjtype
  )
  SELECT DISTINCT of, format('%s may %s', CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, what) AS problem
  FROM granted WHERE grantee <> owner AND grantee NOT IN (SELECT oid FROM administrators)
    -- A server that somebody else runs has roles for its administrators, who are members of them: such a one has these rights of old.
    AND (grantee = 0 OR EXISTS (SELECT FROM pg_roles WHERE rolcanlogin AND pg_has_role(oid, grantee, 'MEMBER')
      AND oid NOT IN (SELECT oid FROM administrators)))
  UNION ALL
  SELECT format('function %s', oid::regprocedure), format('it is %s''s, who may set what it runs with', proowner::regrole)
  FROM pg_proc WHERE (oid < ${MADE_LATER}::oid OR ('pg_proc'::regclass, oid) IN (SELECT classid, objid FROM brought))
    AND proowner NOT IN (SELECT oid FROM administrators UNION ALL SELECT relowner FROM owner)`;
