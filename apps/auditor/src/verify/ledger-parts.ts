/** The databases of a ledger as `verify` sees them: mostly one; where there are several, each has a part of the shards (docs/adr/0066). */
import { readCheckpoint, shardOf } from '@stablecoin/event-proofs/checkpoint';
import { Sql } from '@stablecoin/persistence/sql';
import { inTurn } from '../database/in-turn';
import { Part, Parts, partWith } from '../database/placed-snapshots';
import { TornPlacement } from '../database/placements';
import { LogFault } from '@stablecoin/ledger-log/log/fault';
import { ShardHead } from '@stablecoin/ledger-log/rebuild/shard-heads';
import { findMissingShards, KnownShard } from './missing-shards';
import { CopyOutcome, judgeCopy } from './shard-copies';
import { Witnessed } from './witnesses';

/** What was kept elsewhere of a shard is compared where the shard is; of one that is nowhere, at home. */
export const partOf = (parts: Parts, shard: number | undefined): Part => partWith(parts, shard) ?? parts[0];

interface KeptElsewhere {
  kept?: readonly string[];
  witnessed: readonly Witnessed[];
  /** Shards of which it is said that they are on none, or on two: what is missing of them says nothing else. */
  torn: readonly TornPlacement[];
}

/** What was kept elsewhere of the shards of one part. */
export function keptOf(part: Part, parts: Parts, { kept, witnessed, torn }: KeptElsewhere) {
  const isHere = (shard: number | undefined) =>
    partOf(parts, shard) === part && !(torn.some((one) => one.shard === shard) && !partWith(parts, shard));
  return {
    kept: kept?.filter((note) => isHere(shardOf(readCheckpoint(note)?.origin ?? ''))),
    witnessed: witnessed.filter(({ shard }) => isHere(shard)),
  };
}

/** Shards that are gone. @param count how many there are, where the auditor knows it */
export async function missingOf(
  parts: Parts,
  torn: readonly TornPlacement[],
  count: number | undefined,
): Promise<LogFault[]> {
  const known = (await inTurn(parts, ({ snapshot, every }) => loggedIn(snapshot, every))).flat();
  const missing = await findMissingShards(parts[0].snapshot, known, count);
  return missing.filter(({ shard }) => !torn.some((one) => one.shard === shard && !partWith(parts, shard)));
}

const loggedIn = (sql: Sql, heads: readonly ShardHead[]): PromiseLike<KnownShard[]> =>
  sql.$queryRaw<KnownShard[]>`
    SELECT shard, COALESCE(position, 0)::int8::float8 AS logged
    FROM unnest(${heads.map(({ shard }) => shard)}::int[]) AS every (shard) LEFT JOIN LATERAL (
      SELECT max(event.position) AS position FROM ledger_events AS event WHERE event.shard = every.shard
    ) AS log ON true`;

interface JudgeOptions {
  /** The shards whose log is sound. */
  sound: readonly number[];
  asked: readonly number[] | undefined;
  pageSize?: number;
  onProgress?: (events: number) => void;
}

/** What each database has of shards on others, where their log can be trusted: it is the beginning of the log, or it is not. */
export async function judgeCopies(parts: Parts, { sound, asked, ...options }: JudgeOptions): Promise<CopyOutcome[]> {
  const outcomes = await inTurn(parts, (here) =>
    inTurn(here.copies, async (copy) => {
      const place = partWith(parts, copy.shard);
      if (!place || !sound.includes(copy.shard) || asked?.includes(copy.shard) === false) return [];
      return [await judgeCopy({ copy, here, place, ...options })];
    }),
  );
  return outcomes.flat(2).filter(({ events, fault }) => events > 0 || fault !== null);
}

/** How many events the copies have together. */
export const copiedIn = (parts: Parts, asked: readonly number[] | undefined): number =>
  parts
    .flatMap(({ copies }) => copies)
    .reduce((sum, { shard, last }) => sum + (asked?.includes(shard) === false ? 0 : last), 0);
