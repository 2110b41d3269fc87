/**
 * What extensions bring is none of the ledger's, and no forgery. Who owns the tables can add a function of his own to an extension
 * that is there (ALTER EXTENSION … ADD): so only that is taken as brought which runs programs of the extension's library, or Postgres' own.
 */
import { Sql } from '@stablecoin/persistence/sql';
import { MADE_LATER } from './made-later';

export interface Brought {
  catalogues: string[];
  objects: string[];
}

/** @param snapshot whose search path is that of the catalogue */
export async function broughtByExtensions(snapshot: Sql): Promise<Brought> {
  const rows = await snapshot.$queryRaw<{ catalogue: string; object: string }[]>`
    WITH programs AS (
      SELECT 'pg_proc'::regclass::oid AS classid, oid AS objid, oid::oid AS program, false AS is_of_postgres FROM pg_proc
      UNION ALL SELECT 'pg_operator'::regclass, oid, oprcode, false FROM pg_operator
      UNION ALL SELECT 'pg_cast'::regclass, oid, castfunc, false FROM pg_cast
      UNION ALL SELECT 'pg_type'::regclass, oid, typinput, false FROM pg_type WHERE typtype = 'b'
      UNION ALL SELECT 'pg_opclass'::regclass, pg_opclass.oid, amproc, amproc::oid < ${MADE_LATER}::oid
      FROM pg_opclass JOIN pg_amproc ON amprocfamily = opcfamily
    )
    SELECT classid::text AS catalogue, objid::text AS object FROM programs JOIN pg_depend USING (classid, objid)
    JOIN pg_proc ON pg_proc.oid = program JOIN pg_language ON pg_language.oid = prolang
    WHERE deptype = 'e' GROUP BY classid, objid HAVING bool_and(lanname = 'c' OR is_of_postgres)`;
  return { catalogues: rows.map(({ catalogue }) => catalogue), objects: rows.map(({ object }) => object) };
}
