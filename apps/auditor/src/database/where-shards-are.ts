/** Which of the ledger's databases to ask about one shard, one wallet or one transaction (docs/adr/0066). */
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { Sql } from '@stablecoin/persistence/sql';
import { inTurn } from './in-turn';
import { LedgerDatabases } from './ledger';
import { refuseTorn } from './placed-snapshots';
import { inOnePlace, PlacedShards, readPlacedShards, refuseUnnamed, tornPlacements } from './placements';

export interface PlacedShard {
  shard: number;
  database: LedgerDatabase;
}

type PlacedLedger = PlacedShards & { database: LedgerDatabase };

const placedLedgers = (ledgers: LedgerDatabases): Promise<PlacedLedger[]> =>
  inTurn(ledgers, async ({ name, database }) => ({ ...(await readPlacedShards(name, database)), database }));

/** Every shard of the ledger, by its number. @throws AuditFailure where one is not on one of these databases */
export async function placedShards(ledgers: LedgerDatabases): Promise<PlacedShard[]> {
  const placed = await placedLedgers(ledgers);
  refuseUnnamed(placed);
  refuseTorn(tornPlacements(placed));
  return placed
    .flatMap(({ every, database }) => every.map(({ shard }) => ({ shard, database })))
    .sort((one, other) => one.shard - other.shard);
}

/** @returns undefined for a shard that there is not. @throws AuditFailure where it is not on one of these databases */
export async function databaseOfShard(ledgers: LedgerDatabases, shard: number): Promise<LedgerDatabase | undefined> {
  const placed = await placedLedgers(ledgers);
  refuseUnnamed(placed, shard);
  refuseTorn(tornPlacements(placed).filter((torn) => torn.shard === shard));
  return placed.find(({ every }) => every.some((head) => head.shard === shard))?.database;
}

/**
 * The database with the shard of what is looked for. One that the shard has left knows it as well, and is not the one to ask: its log ends
 * where the shard went.
 *
 * @param shardOf where this database knows it, its shard
 * @returns home where none knows it
 * @throws AuditFailure where its shard is not on one of these databases
 */
export async function databaseWith(
  ledgers: LedgerDatabases,
  shardOf: (sql: Sql) => Promise<number | undefined>,
): Promise<LedgerDatabase> {
  const placed = await placedLedgers(ledgers);
  const places = inOnePlace(placed);
  let left: number | undefined;
  for (const { database, every } of places) {
    const shard = await shardOf(database);
    if (every.some((head) => head.shard === shard)) return database;
    left ??= shard;
  }
  if (left === undefined) return ledgers[0].database;
  refuseUnnamed(placed, left);
  refuseTorn(tornPlacements(placed).filter(({ shard }) => shard === left));
  return places.find(({ every }) => every.some((head) => head.shard === left))?.database ?? ledgers[0].database;
}
