/**
 * Rebuilds every projection from the log beside the live ones and compares each table's digest with the live one's. One
 * snapshot: the log is replayed up to where it ended then, and the live tables are read as they were then, however much
 * is committed meanwhile. The tables are temporary, so that a role which can only read can do it and a killed run
 * leaves none behind; with `keep`, which takes the owner of the database, they are in a schema that stays.
 */
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { PROJECTION_TABLES, ProjectionTable } from '@stablecoin/ledger-store/projections/tables';
import { withSnapshot } from '../database/ledger';
import { AuditFailure } from '../report/report';
import { compareTables, TableComparison } from '../rebuild/compare-tables';
import { digestTables, TableDigest } from '../rebuild/digest-tables';
import { rebuildLog, RebuildOptions, ShardOutcome } from '@stablecoin/ledger-log/rebuild/rebuild-log';
import { analyzeTables, createReplaySchema, createTemporaryTables, TEMPORARY_SCHEMA } from '../rebuild/scratch-tables';
import { readShards, totalOf } from '@stablecoin/ledger-log/rebuild/shard-heads';

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
}

export async function replay(database: LedgerDatabase, now: Date, options: ReplayOptions = {}): Promise<Replay> {
  const { keep = false } = options;
  const schema = keep ? `replay_${now.toISOString().replace(/\D/g, '')}` : TEMPORARY_SCHEMA;
  if (keep) await refuseUnlessOwner(database);
  else await createTemporaryTables(database);
  return withSnapshot(database, keep ? 'keep' : 'read-only', async (snapshot) => {
    if (keep) await createReplaySchema(snapshot, schema);
    const heads = await readShards(snapshot);
    const shards = await rebuildLog(snapshot, heads, { ...options, onProgress: options.onStart?.(totalOf(heads)) });
    await analyzeTables(snapshot, schema);
    const [replayed, live] = [await digestTables(snapshot, schema), await digestTables(snapshot, 'public')];
    const tables = PROJECTION_TABLES.map(({ table }) => {
      const digests = { replayed: replayed[table], live: live[table] };
      return { table, equal: digests.replayed.sha256 === digests.live.sha256, ...digests };
    });
    const equal = tables.every((table) => table.equal);
    return {
      ok: equal && shards.every(({ fault }) => fault === null),
      events: shards.reduce((sum, shard) => sum + shard.events, 0),
      schema: keep ? schema : null,
      shards,
      tables,
      differences: equal ? [] : await compareTables(snapshot, schema),
    };
  });
}

async function refuseUnlessOwner(database: LedgerDatabase): Promise<void> {
  const [row] = await database.$queryRaw<{ user: string; may: boolean }[]>`
    SELECT current_user AS user, has_database_privilege(current_database(), 'CREATE') AS may`;
  if (row?.may) return;
  throw new AuditFailure(
    `Keeping the tables takes a schema, which ${row?.user} may not make: set AUDIT_DATABASE_URL to the owner of the database.`,
  );
}
