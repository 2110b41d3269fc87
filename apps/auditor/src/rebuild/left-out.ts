/**
 * Rows of shards that are on another database (docs/adr/0066): a database that a shard has left keeps its projections, and one that it
 * comes to has some already. `replay` leaves them out, so that a digest is the same before and after a move, and `verify` those of a copy
 * whose log is at fault. What is left out is what the log of the shard knows, where the shard is: by the shard, or in tables without one by
 * its wallets and merchants, and of results those that are the same there.
 * Rows of which no log knows anything are not left out.
 */
import { DerivedTable, ProjectionTable } from '@stablecoin/ledger-store/projections/tables';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { RawSql, Sql } from '@stablecoin/persistence/sql';

const KEYS_AT_ONCE = 5_000;

/** Of this connection alone, made before the snapshot begins, beside those that the log is noted in. */
export async function createLeftOutTables(sql: RawSql): Promise<void> {
  for (const { table } of LEFT_OUT)
    await sql.$executeRawUnsafe(`CREATE TEMPORARY TABLE ${table} (key uuid PRIMARY KEY)`);
}

/** Of 128 bits, which stand for the whole result of a command. @param row its row in a statement */
export function resultKey(row: string): string {
  const text = `concat_ws(' ', ${row}.command_id, ${row}.merchant_id, ${row}.result)`;
  return `encode(substring(sha256(convert_to(${text}, 'UTF8')) FOR 16), 'hex')::uuid`;
}

/** What is left out, and where the log names it: in tables that were rebuilt, or written while the log was followed. */
const LEFT_OUT = [
  { table: 'wallets_elsewhere', key: 'id', from: 'wallets' },
  { table: 'merchants_elsewhere', key: 'merchant_id', from: 'logged_merchants' },
  // All that a result says: one that was changed, or is another merchant's, is not the one that came along.
  {
    table: 'results_elsewhere',
    key: resultKey('stored'),
    from: 'command_results AS stored JOIN logged_commands USING (command_id)',
  },
] as const;

export interface PlacedCopies {
  snapshot: Sql & RawSql;
  /** Of which it has rows, while they are on another. */
  copies: readonly { shard: number }[];
  /** Those that it has. */
  every: readonly { shard: number }[];
}

/**
 * After the log was followed everywhere: has each database know what of it is of shards on another.
 *
 * @param tables of those above; commands where they were noted
 */
export async function noteLeftOut(
  databases: readonly PlacedCopies[],
  tables: readonly (typeof LEFT_OUT)[number]['table'][],
): Promise<void> {
  for (const { snapshot, copies } of databases)
    for (const { shard } of copies) {
      const place = databases.find(({ every }) => every.some((one) => one.shard === shard));
      if (place === undefined || place.snapshot === snapshot) continue;
      for (const { table, key, from } of LEFT_OUT)
        if (tables.includes(table))
          await copyKeys(place.snapshot, snapshot, {
            table,
            select: `SELECT DISTINCT ${key}::text AS key FROM ${from} WHERE shard = ${shard}`,
          });
    }
}

async function copyKeys(from: RawSql, to: RawSql, { table, select }: { table: string; select: string }): Promise<void> {
  await from.$executeRawUnsafe(`DECLARE left_out NO SCROLL CURSOR FOR ${select}`);
  for (;;) {
    const rows = await from.$queryRawUnsafe<{ key: string }[]>(`FETCH ${KEYS_AT_ONCE} FROM left_out`);
    const keys = arrayColumn(rows.map(({ key }) => key));
    await to.$executeRawUnsafe(`INSERT INTO ${table} SELECT * FROM unnest($1::uuid[]) ON CONFLICT DO NOTHING`, keys);
    if (rows.length < KEYS_AT_ONCE) break;
  }
  await from.$executeRawUnsafe('CLOSE left_out');
}

/** The shards whose rows are left out of a database's. */
export interface LeftOut {
  shards: readonly number[];
}

export const NOTHING_LEFT_OUT: LeftOut = { shards: [] };

/** A condition that is true of rows that are left out. @param row the name that they have in the statement */
export function isLeftOut(table: ProjectionTable | DerivedTable, row: string, { shards }: LeftOut): string {
  if (shards.length === 0) return 'false';
  switch (table) {
    case 'account_balances':
    case 'wallets':
    case 'payout_policies':
    case 'payout_usage':
    case 'transactions':
    case 'daily_figures':
      return `${row}.shard = ANY ('{${shards.join(',')}}'::int[])`;
    case 'deposit_addresses':
      return `${row}.wallet_id IN (SELECT key FROM wallets_elsewhere)`;
    case 'closed_customers':
    case 'transaction_counts':
    case 'transaction_search':
      return `${row}.merchant_id IN (SELECT key FROM merchants_elsewhere)`;
  }
}
