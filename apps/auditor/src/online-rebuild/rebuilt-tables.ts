/**
 * Tables like the live projections in a schema of their own, with the same names of constraints and indexes and the same
 * grants, so that they can take the live tables' place.
 */
import { FOLLOWING_THE_LOG, KEPT_BY_TRIGGERS, PROJECTION_TABLES } from '@stablecoin/ledger-store/projections/tables';
import { AuditFailure } from '../report/report';
import { RawSql } from '@stablecoin/persistence/sql';

export const REBUILT_SCHEMA = 'rebuilt';
const TABLES = [...PROJECTION_TABLES.map(({ table }) => table), ...KEPT_BY_TRIGGERS, ...FOLLOWING_THE_LOG];
type Table = (typeof TABLES)[number];

/** Replaces tables that an interrupted run has left. */
export async function createRebuiltTables(sql: RawSql): Promise<void> {
  await sql.$executeRawUnsafe(`DROP SCHEMA IF EXISTS ${REBUILT_SCHEMA} CASCADE`);
  await sql.$executeRawUnsafe(`CREATE SCHEMA ${REBUILT_SCHEMA}`);
  for (const table of TABLES) await createLike(sql, table);
}

async function createLike(sql: RawSql, table: Table): Promise<void> {
  // Copied indexes would get other names: they are created below, each with its original name.
  await sql.$executeRawUnsafe(
    `CREATE TABLE ${REBUILT_SCHEMA}.${table} (LIKE public.${table} INCLUDING ALL EXCLUDING INDEXES)`,
  );
  const statements = await sql.$queryRawUnsafe<{ statement: string }[]>(`
    SELECT statement FROM (
      SELECT 1 AS step, format('ALTER TABLE ${REBUILT_SCHEMA}.${table} ADD CONSTRAINT %I %s', conname,
        pg_get_constraintdef(oid)) AS statement
      FROM pg_constraint WHERE conrelid = 'public.${table}'::regclass AND contype IN ('p', 'u', 'x')
      UNION ALL
      SELECT 2, replace(pg_get_indexdef(indexrelid), ' ON public.', ' ON ${REBUILT_SCHEMA}.')
      FROM pg_index WHERE indrelid = 'public.${table}'::regclass
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
      UNION ALL
      SELECT 3, format('GRANT %s ON ${REBUILT_SCHEMA}.${table} TO %s', privilege_type,
        CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END)
      FROM pg_class, aclexplode(relacl) WHERE pg_class.oid = 'public.${table}'::regclass
      UNION ALL
      SELECT 4, format('ALTER TABLE ${REBUILT_SCHEMA}.${table} OWNER TO %I', pg_get_userbyid(relowner))
      FROM pg_class WHERE oid = 'public.${table}'::regclass
      UNION ALL
      SELECT 5, replace(pg_get_triggerdef(oid), ' ON public.', ' ON ${REBUILT_SCHEMA}.')
      FROM pg_trigger WHERE tgrelid = 'public.${table}'::regclass AND NOT tgisinternal
      UNION ALL
      SELECT 6, 'ALTER TABLE ${REBUILT_SCHEMA}.${table} ENABLE ROW LEVEL SECURITY'
      FROM pg_class WHERE oid = 'public.${table}'::regclass AND relrowsecurity
      UNION ALL
      SELECT 7, format('CREATE POLICY %I ON ${REBUILT_SCHEMA}.${table} AS %s FOR %s TO %s', policyname, permissive, cmd,
        (SELECT string_agg(quote_ident(role), ', ') FROM unnest(roles) AS role))
        || coalesce(' USING (' || qual || ')', '') || coalesce(' WITH CHECK (' || with_check || ')', '')
      FROM pg_policies WHERE schemaname = 'public' AND tablename = '${table}'
    ) AS steps ORDER BY step, statement`);
  for (const { statement } of statements) await sql.$executeRawUnsafe(statement);
}

/**
 * @throws AuditFailure when a rebuilt table is not in every respect like the live one: a switch would lose the difference
 */
export async function refuseUnlessAlike(sql: RawSql): Promise<void> {
  for (const table of TABLES) {
    const [live, rebuilt] = [await traits(sql, 'public', table), await traits(sql, REBUILT_SCHEMA, table)];
    const missing = live.filter((trait) => !rebuilt.includes(trait));
    const surplus = rebuilt.filter((trait) => !live.includes(trait));
    const [difference] = [...missing, ...surplus];
    if (difference !== undefined)
      throw new AuditFailure(`The rebuilt ${table} is not like the live one: ${difference}.`);
  }
}

/** Everything about a table besides its rows. */
async function traits(sql: RawSql, schema: string, table: Table): Promise<string[]> {
  const name = `${schema}.${table}`;
  const rows = await sql.$queryRawUnsafe<{ trait: string }[]>(`
    SELECT format('column %s %s %s %s %s', attnum, attname, format_type(atttypid, atttypmod), attnotnull,
      pg_get_expr(adbin, adrelid)) AS trait
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = '${name}'::regclass AND attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT format('constraint %s %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE conrelid = '${name}'::regclass AND contype <> 'n'
    UNION ALL
    SELECT format('index %s', replace(pg_get_indexdef(indexrelid), ' ON ${schema}.', ' ON ')) FROM pg_index
    WHERE indrelid = '${name}'::regclass
    UNION ALL
    SELECT format('grant of %s to %s', privilege_type, grantee) FROM pg_class, aclexplode(relacl)
    WHERE pg_class.oid = '${name}'::regclass
    UNION ALL
    SELECT format('owner %s, row security %s', relowner, relrowsecurity) FROM pg_class WHERE oid = '${name}'::regclass
    UNION ALL
    SELECT format('policy %s %s %s %s %s %s', policyname, permissive, roles, cmd, qual, with_check)
    FROM pg_policies WHERE schemaname = '${schema}' AND tablename = '${table}'
    UNION ALL
    SELECT format('trigger %s', tgname) FROM pg_trigger WHERE tgrelid = '${name}'::regclass AND NOT tgisinternal
    UNION ALL
    SELECT format('foreign key %s', conname) FROM pg_constraint WHERE confrelid = '${name}'::regclass`);
  return rows.map(({ trait }) => trait);
}

/** Commands and queries wait meanwhile: the switch does not wait for a reader that takes longer. */
const LOCK_TIMEOUT = '500ms';

export async function limitWaits(sql: RawSql): Promise<void> {
  await sql.$executeRawUnsafe(`SET LOCAL lock_timeout TO '${LOCK_TIMEOUT}'`);
}

export async function lockLiveTables(sql: RawSql): Promise<void> {
  const live = TABLES.map((table) => `public.${table}`).join(', ');
  await sql.$executeRawUnsafe(`LOCK TABLE ${live} IN ACCESS EXCLUSIVE MODE`);
}

/** The rebuilt tables become the live ones, and those move into the schema `replaced`, as evidence. */
export async function swapTables(sql: RawSql, replaced: string): Promise<void> {
  await sql.$executeRawUnsafe(`CREATE SCHEMA ${replaced}`);
  for (const table of TABLES) {
    await sql.$executeRawUnsafe(`ALTER TABLE public.${table} SET SCHEMA ${replaced}`);
    await sql.$executeRawUnsafe(`ALTER TABLE ${REBUILT_SCHEMA}.${table} SET SCHEMA public`);
  }
}

export async function dropRebuiltTables(sql: RawSql): Promise<void> {
  await sql.$executeRawUnsafe(`DROP SCHEMA IF EXISTS ${REBUILT_SCHEMA} CASCADE`);
}
