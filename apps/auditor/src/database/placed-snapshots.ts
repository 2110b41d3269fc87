/** One moment of each of the ledger's databases, and where its shards are then (docs/adr/0066). */
import { setTimeout as delay } from 'node:timers/promises';
import { Sql } from '@stablecoin/persistence/sql';
import { AuditFailure, EXIT } from '../report/report';
import { inTurn } from './in-turn';
import { LedgerDatabases, NamedSnapshot, withSnapshots } from './ledger';
import {
  hasCopyAhead,
  inOnePlace,
  PlacedShards,
  readPlacedShards,
  refuseUnnamed,
  TornPlacement,
  tornPlacements,
} from './placements';

/** A database, the shards that are read there, and what it has of others. */
export type Part = NamedSnapshot & PlacedShards;
export type Parts = readonly [Part, ...Part[]];

/**
 * The snapshots of two databases are of two moments, and a shard that changes sides between them is on both, or on neither. A move
 * changes sides within less than that.
 */
const SETTLES_WITHIN_MS = 3_000;
const LOOK_AGAIN_MS = 200;

export interface PlacedOptions {
  /** Only this shard is asked for. */
  shard?: number | undefined;
  /** How long snapshots are taken anew while shards change sides. */
  settlesWithinMs?: number | undefined;
  mode?: 'read-only' | 'keep';
}

/** @throws AuditFailure where a shard is on a database that is not named */
export async function withPlacedSnapshots<Result>(
  databases: LedgerDatabases,
  { shard, settlesWithinMs = SETTLES_WITHIN_MS, mode = 'read-only' }: PlacedOptions,
  work: (parts: Parts, torn: readonly TornPlacement[]) => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + settlesWithinMs;
  for (;;) {
    const done = await withSnapshots(databases, mode, async (snapshots) => {
      const said = await inTurn(snapshots, async (one) => ({
        ...one,
        ...(await readPlacedShards(one.name, one.snapshot)),
      }));
      refuseUnnamed(said, shard);
      const torn = tornPlacements(said);
      const parts = inOnePlace(said) as unknown as Parts;
      const isSettled = torn.length === 0 && !hasCopyAhead(parts);
      if (!isSettled && performance.now() < deadline) return undefined;
      return { result: await work(parts, torn) };
    });
    if (done) return done.result;
    await delay(LOOK_AGAIN_MS);
  }
}

/** For what is of all shards, and nothing without one of them. @throws AuditFailure where one is not on one database alone */
export function refuseTorn([torn]: readonly TornPlacement[]): void {
  if (torn) throw new AuditFailure(`Shard ${torn.shard} ${torn.problem}. ${torn.advice}`, EXIT.finding);
}

/** A snapshot, and the shards that are read there. */
export interface DatabaseWithShards {
  snapshot: Sql;
  shards: readonly number[];
}

export const withTheirShards = ([home, ...others]: Parts): [DatabaseWithShards, ...DatabaseWithShards[]] => [
  withItsShards(home),
  ...others.map(withItsShards),
];

const withItsShards = ({ snapshot, every }: Part): DatabaseWithShards => ({
  snapshot,
  shards: every.map(({ shard }) => shard),
});

/** The shards of which a part has rows, while they are on another. */
export const leftOutOf = ({ copies }: Part) => ({ shards: copies.map(({ shard }) => shard) });

/** The part that has the shard. */
export const partWith = (parts: Parts, shard: number | undefined): Part | undefined =>
  parts.find(({ every }) => every.some((head) => head.shard === shard));
