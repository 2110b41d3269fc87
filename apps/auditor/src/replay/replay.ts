/**
 * Rebuilds every projection from the log beside the live ones and compares each table's digest with the live one's. One
 * snapshot: the log is replayed up to where it ended then, and the live tables are read as they were then, however much
 * is committed meanwhile. The tables are temporary, so that a role which can only read can do it and a killed run
 * leaves none behind; with `keep`, which takes the owner of the database, they are in a schema that stays. Where the ledger's shards lie
 * on several databases, each is replayed in a snapshot of its own, and a digest is one over the rows of all of them.
 */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { PROJECTION_TABLES, ProjectionTable } from '@stablecoin/ledger-store/projections/tables';
import { inTurn } from '../database/in-turn';
import { asLedgers, LedgerDatabases } from '../database/ledger';
import { leftOutOf, Part, refuseTorn, withPlacedSnapshots } from '../database/placed-snapshots';
import { AuditFailure } from '../report/report';
import { compareTables, TableComparison, together } from '../rebuild/compare-tables';
import { DigestedDatabase, digestTables, digestTablesOf, TableDigest } from '../rebuild/digest-tables';
import { createLeftOutTables, noteLeftOut, NOTHING_LEFT_OUT } from '../rebuild/left-out';
import { createLoggedMerchants, LoggedMerchants } from '../rebuild/logged-merchants';
import { rebuildLog, RebuildOptions, ShardOutcome } from '@stablecoin/ledger-log/rebuild/rebuild-log';
import { analyzeTables, createReplaySchema, createTemporaryTables, TEMPORARY_SCHEMA } from '../rebuild/scratch-tables';
import { totalOf } from '@stablecoin/ledger-log/rebuild/shard-heads';

export interface ReplayedTable {
  table: ProjectionTable;
  equal: boolean;
  replayed: TableDigest;
  live: TableDigest;
}

export interface Replay {
  ok: boolean;
  events: number;
  /** Null without `keep`. */
  schema: string | null;
  shards: ShardOutcome[];
  tables: ReplayedTable[];
  /** Which rows, when a digest differs. */
  differences: TableComparison[];
}

export interface ReplayOptions extends Omit<RebuildOptions, 'onProgress' | 'onPage'> {
  keep?: boolean;
  onStart?: (total: number) => (events: number) => void;
  /** How long snapshots are taken anew while shards change sides. */
  settlesWithinMs?: number;
}

/** @param ledger its one database, or all of them */
export async function replay(
  ledger: LedgerDatabase | LedgerDatabases,
  now: Date,
  options: ReplayOptions = {},
): Promise<Replay> {
  const { keep = false, settlesWithinMs } = options;
  const schema = keep ? `replay_${now.toISOString().replace(/\D/g, '')}` : TEMPORARY_SCHEMA;
  const databases = asLedgers(ledger);
  for (const { database } of databases) {
    if (keep) await refuseUnlessOwner(database);
    else await createTemporaryTables(database);
    if (databases.length === 1) continue;
    await createLoggedMerchants(database);
    await createLeftOutTables(database);
  }
  return withPlacedSnapshots(databases, { settlesWithinMs, mode: keep ? 'keep' : 'read-only' }, async (parts, torn) => {
    refuseTorn(torn);
    if (keep) for (const { snapshot } of parts) await createReplaySchema(snapshot, schema);
    const isOneOfSeveral = parts.length > 1;
    const onProgress = options.onStart?.(totalOf(parts.flatMap(({ every }) => every)));
    const shards = (
      await inTurn(parts, (part) => rebuildPart(part, schema, { ...options, onProgress, isOneOfSeveral }))
    ).flat();
    await noteLeftOut(parts, ['wallets_elsewhere', 'merchants_elsewhere']);
    const [replayed, live] = [await digestsOf(parts, schema), await digestsOf(parts, 'public')];
    const tables = PROJECTION_TABLES.map(({ table }) => {
      const digests = { replayed: replayed[table], live: live[table] };
      return { table, equal: digests.replayed.sha256 === digests.live.sha256, ...digests };
    });
    const equal = tables.every((table) => table.equal);
    const compare = (part: Part) => compareTables(part.snapshot, schema, undefined, leftOutOf(part));
    return {
      ok: equal && shards.every(({ fault }) => fault === null),
      events: shards.reduce((sum, shard) => sum + shard.events, 0),
      schema: keep ? schema : null,
      shards,
      tables,
      differences: equal ? [] : together(await inTurn(parts, compare)),
    };
  });
}

async function rebuildPart(
  { snapshot, every }: Part,
  schema: string,
  { isOneOfSeveral, ...options }: RebuildOptions & { isOneOfSeveral: boolean },
): Promise<ShardOutcome[]> {
  const merchants = new LoggedMerchants(snapshot);
  const onPage = isOneOfSeveral ? { onPage: (page: readonly RecordedEvent[]) => merchants.follow(page) } : {};
  const outcomes = await rebuildLog(snapshot, every, { ...options, ...onPage });
  await analyzeTables(snapshot, schema);
  return outcomes;
}

function digestsOf(parts: readonly Part[], schema: string) {
  const [only, ...others] = parts;
  if (only && others.length === 0) return digestTables(only.snapshot, schema);
  const of = (part: Part): DigestedDatabase => ({
    sql: part.snapshot,
    leftOut: schema === 'public' ? leftOutOf(part) : NOTHING_LEFT_OUT,
  });
  return digestTablesOf(parts.map(of), schema);
}

async function refuseUnlessOwner(database: LedgerDatabase): Promise<void> {
  const [row] = await database.$queryRaw<{ user: string; may: boolean }[]>`
    SELECT current_user AS user, has_database_privilege(current_database(), 'CREATE') AS may`;
  if (row?.may) return;
  throw new AuditFailure(
    `Keeping the tables takes a schema, which ${row?.user} may not make: set AUDIT_DATABASE_URL to the owner of the database.`,
  );
}
