/**
 * Whether rows are carried out of the ledger's tables, or into them, beside the services: Postgres itself does so where the owner has made
 * a publication, a subscription or a slot. Who reads there needs no right on a table, and what a subscription writes was asked of no rule.
 */
import { Sql } from '@stablecoin/persistence/sql';
import { SchemaFault } from './schema-fault';

/**
 * A slot for a standby carries the whole server and is a deployment's own; one that decodes rows is of one database.
 *
 * @param sql whose search path is that of the catalogue
 * @param tables the ledger's
 */
export const carriedRowsFaults = (sql: Sql, tables: readonly string[]): PromiseLike<SchemaFault[]> => sql.$queryRaw<
  SchemaFault[]
>`
  WITH published AS (
    SELECT pubname, relname FROM pg_publication CROSS JOIN LATERAL pg_get_publication_tables(pubname::text) AS one
    JOIN pg_class ON pg_class.oid = one.relid
    WHERE relnamespace = 'public'::regnamespace AND relname = ANY (${tables}::text[])
  )
  SELECT format('publication %s', pubname) AS of,
    format('it carries the rows of %s tables away, among them those of %s, without a right on them', count(*), min(relname)) AS problem
  FROM published GROUP BY pubname
  UNION ALL
  SELECT format('subscription %s', subname), 'it writes rows that come from another server into this database, and asks no rule'
  FROM pg_subscription WHERE subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())
  UNION ALL
  SELECT format('replication slot %s', slot_name),
    format('it keeps what is written here for who reads it by %s, without a right on any table', plugin)
  FROM pg_get_replication_slots()
  WHERE slot_type = 'logical' AND datoid = (SELECT oid FROM pg_database WHERE datname = current_database())`;
