/**
 * Which logins may do what the ledger may, or more, beside those of the migrations. Deployments make logins of their own, members of
 * `ledger_app` among them (docs/OPERATIONS.md), so the catalogue alone does not say whether one is theirs or a forger's: it is held
 * against the names that the deployment gives (docs/adr/0083). What the migrations' own logins may do, and each right that was granted
 * on a table itself, `schema-check` finds without being given any name.
 */
import { Sql } from '@stablecoin/persistence/sql';
import { OF_MIGRATIONS } from './login-faults';
import { TABLES } from './schema-check';
import { SchemaFault } from './schema-fault';

export interface FurtherLogins {
  /** How many have such rights, those that are named among them. */
  with_rights: number;
  /** Those that are not named. */
  faults: SchemaFault[];
}

/** Roles of Postgres' own: a member needs no grant on a table to write into it, or becomes a superuser by the machine. */
const WRITING: Readonly<Record<string, string>> = {
  pg_write_all_data: 'write into each table',
  pg_execute_server_program: "run programs as the server's user",
  pg_write_server_files: 'write the files of the server',
};

interface FurtherLogin extends SchemaFault {
  is_named: boolean;
}

/**
 * @param snapshot a transaction; its search path is that of the auditor afterwards
 * @param names the logins that the deployment has made or uses
 */
export async function findFurtherLogins(snapshot: Sql, names: readonly string[]): Promise<FurtherLogins> {
  // As in `findSchemaFaults`: nothing that somebody has made is looked up in place of the catalogue's own.
  await snapshot.$executeRaw`SET LOCAL search_path TO pg_catalog, pg_temp`;
  const logins = await readLogins(snapshot, names);
  await snapshot.$executeRaw`SET LOCAL search_path TO public`;
  const faults = logins.flatMap(({ is_named, of, problem }) => (is_named ? [] : [{ of, problem }]));
  return { with_rights: logins.length, faults };
}

/**
 * Each with the gravest of what it may do. Membership counts at any distance and with any options: by SET a member takes the role on,
 * by ADMIN it gives itself what it lacks.
 */
const readLogins = (sql: Sql, names: readonly string[]): PromiseLike<FurtherLogin[]> => sql.$queryRaw<FurtherLogin[]>`
  WITH powers AS (
    SELECT DISTINCT relowner AS role, 2 AS grade, 'change the ledger''s tables as their owner' AS may FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relname = ANY (${TABLES}::text[])
    UNION ALL
    SELECT nspowner, 3, 'take the ledger''s tables away as the owner of their schema' FROM pg_namespace
    WHERE nspname = 'public'
    UNION ALL
    SELECT to_regrole('ledger_app')::oid, 4, 'append to the log'
    UNION ALL
    SELECT to_regrole(name)::oid, 5, may
    FROM unnest(${Object.keys(WRITING)}::text[], ${Object.values(WRITING)}::text[]) AS writing (name, may)
  ), logins AS (
    SELECT oid, rolname, 1 AS grade, 'it is a superuser' AS problem FROM pg_roles WHERE rolcanlogin AND rolsuper
    UNION ALL
    SELECT oid, rolname, grade, CASE WHEN oid = role THEN format('it may %s', may)
      ELSE format('it is a member of %s, so it may %s', role::regrole, may) END
    FROM pg_roles JOIN powers ON pg_has_role(oid, role, 'MEMBER') WHERE rolcanlogin
  )
  SELECT DISTINCT ON (rolname) format('login %I', rolname) AS of,
    format('%s, and the deployment has not named it', problem) AS problem, rolname = ANY (${names}::text[]) AS is_named
  FROM logins WHERE rolname <> ALL (${OF_MIGRATIONS}::text[])
  ORDER BY rolname, grade, problem`;
