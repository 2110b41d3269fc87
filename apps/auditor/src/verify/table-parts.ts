/**
 * Whether the ledger's tables are made of what its migrations have put there, and of nothing else: columns, conditions, unique
 * indexes, and who may do what. A condition or a default can call a function of Postgres itself that sets another search path in
 * the ledger's session; without a unique index a command takes effect twice; and by a right that was granted another service reads
 * what all merchants own. Of indexes that are not unique, one too many or too few changes nothing of what is seen.
 */
import { Sql } from '@stablecoin/persistence/sql';
import { FUNCTION_RIGHTS, PARTS, RIGHTS } from './made-by-migrations';
import { SchemaFault } from './schema-fault';

/** Without it nothing is written otherwise that the ledger writes. */
const AGAINST_MISTAKES = 'condition FOREIGN KEY';

/** @param snapshot whose search path is that of the catalogue: then what is of another schema is named with it */
export async function partFaults(snapshot: Sql): Promise<SchemaFault[]> {
  const parts = await readParts(snapshot);
  const rights = await readRights(snapshot);
  const made = Object.entries(PARTS).flatMap(([of, each]) => each.map((part) => ({ of, part })));
  return [
    ...without(parts, PARTS)
      .filter(({ part }) => !isOfLaterVersion(part))
      .map(({ of, part }) => fault(of, `${part}: none of the ledger's migrations has made that`)),
    ...made
      .filter(({ part }) => !part.startsWith(AGAINST_MISTAKES))
      .filter(({ of, part }) => !parts.some((one) => one.of === of && one.part === part))
      .map(({ of, part }) => fault(of, `${part}: the ledger's migrations have made that, and it is missing`)),
    ...without(rights, { ...RIGHTS, ...FUNCTION_RIGHTS }).map(({ of, part }) =>
      fault(of, `${part}: none of the ledger's migrations has granted that`),
    ),
  ];
}

/** In Postgres' own types, which stand without a schema, and with a constant for its default. */
const PLAIN_COLUMN =
  /^column (\w+) [a-z0-9 (),[\]]+?(?: NOT NULL)?(?: DEFAULT (?:'[^']*'|-?[\d.]+|true|false|NULL)(?:::[a-z ]+)?)?$/;
const COLUMN_NAMES = new Set(
  Object.values(PARTS)
    .flat()
    .flatMap((part) => /^column (\w+)/.exec(part)?.[1] ?? []),
);

/**
 * During an upgrade the migrations come first, and may add columns, which no statement of this version names: one that is named as
 * a column of ours could be read in its place.
 */
function isOfLaterVersion(part: string): boolean {
  const name = PLAIN_COLUMN.exec(part)?.[1];
  return name !== undefined && !COLUMN_NAMES.has(name);
}

interface Part {
  of: string;
  part: string;
}

const fault = (of: string, problem: string): SchemaFault => ({ of, problem });

const without = (parts: readonly Part[], expected: Readonly<Record<string, readonly string[]>>): Part[] =>
  parts.filter(({ of, part }) => !expected[of]?.includes(part));

/** A table that is none has no parts: another check names it. */
const readParts = (sql: Sql): PromiseLike<Part[]> => sql.$queryRaw<Part[]>`
  WITH ours AS (
    SELECT oid, relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relname = ANY (${Object.keys(PARTS)}::text[])
  )
  SELECT relname AS of, concat_ws(' ', 'column', attname, format_type(atttypid, atttypmod),
    -- By which two values are the same, and which is the next one.
    CASE WHEN attcollation NOT IN (0, '"default"'::regcollation) THEN concat('COLLATE ', attcollation::regcollation) END,
    CASE WHEN attnotnull THEN 'NOT NULL' END,
    CASE WHEN attidentity <> '' THEN 'IDENTITY' END, CASE WHEN attgenerated <> '' THEN 'GENERATED' END,
    'DEFAULT ' || pg_get_expr(adbin, adrelid)) AS part
  FROM ours JOIN pg_attribute ON attrelid = ours.oid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attnum > 0 AND NOT attisdropped
  UNION ALL
  SELECT relname, concat('condition ', pg_get_constraintdef(pg_constraint.oid)) FROM ours JOIN pg_constraint ON conrelid = ours.oid
  WHERE contype NOT IN ('n', 'p', 'u')
  UNION ALL
  SELECT relname, concat('unique index', substring(pg_get_indexdef(indexrelid) FROM ' USING .*'),
    CASE WHEN NOT (indisunique AND indimmediate) THEN ' that lets two be the same' END,
    CASE WHEN NOT (indisvalid AND indisready AND indislive) THEN ' that is not valid' END)
  FROM ours JOIN pg_index ON indrelid = ours.oid
  WHERE indisunique OR indisprimary OR indisexclusion`;

/** Beside those of who owns it. */
const readRights = (sql: Sql): PromiseLike<Part[]> => sql.$queryRaw<Part[]>`
  WITH ours AS (
    SELECT oid, relname, relowner, relacl FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relname = ANY (${Object.keys(RIGHTS)}::text[])
  ), granted AS (
    SELECT relname AS of, relowner AS owner, NULL AS attname, rights.* FROM ours CROSS JOIN LATERAL aclexplode(relacl) AS rights
    UNION ALL
    SELECT relname, relowner, attname, rights.* FROM ours JOIN pg_attribute ON attrelid = ours.oid
    CROSS JOIN LATERAL aclexplode(attacl) AS rights
    UNION ALL
    SELECT concat('function ', proname), proowner, NULL, rights.* FROM pg_proc
    CROSS JOIN LATERAL aclexplode(COALESCE(proacl, acldefault('f', proowner))) AS rights
    WHERE pronamespace = 'public'::regnamespace AND concat('function ', proname) = ANY (${Object.keys(FUNCTION_RIGHTS)}::text[])
  )
  SELECT of, concat_ws(' ', grantee_name, 'may', privilege_type, string_agg(attname, ', ' ORDER BY attname),
    CASE WHEN bool_or(is_grantable) THEN 'and let others' END) AS part
  FROM granted CROSS JOIN LATERAL (SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS grantee_name) AS named
  WHERE grantee <> owner
  GROUP BY of, grantee_name, privilege_type, attname IS NULL`;
