/** The databases of a ledger as `verify` sees them: mostly one; where there are several, each has a part of the shards (docs/adr/0066). */
import { readCheckpoint, shardOf } from '@stablecoin/event-proofs/checkpoint';
import { Sql } from '@stablecoin/persistence/sql';
import { NamedSnapshot } from '../database/ledger';
import { LogFault } from '@stablecoin/ledger-log/log/fault';
import { MovedShard, readMovedShards } from '../database/moved-shards';
import { readShards, ShardHead } from '@stablecoin/ledger-log/rebuild/shard-heads';
import { AuditFailure } from '../report/report';
import { RebuiltDatabase } from './liabilities-check';
import { findMissingShards, KnownShard } from './missing-shards';
import { Witnessed } from './witnesses';

/** A database, the shards that it has, and those that it says are on others. */
export interface Part extends NamedSnapshot {
  every: ShardHead[];
  moved: MovedShard[];
}

export type Parts = readonly [Part, ...Part[]];

export async function readPart({ name, snapshot }: NamedSnapshot): Promise<Part> {
  return { name, snapshot, every: await readShards(snapshot), moved: await readMovedShards(snapshot) };
}

/** A part of the ledger that is not looked at would not be found wrong. @throws AuditFailure */
export function refuseUnnamed(parts: Parts, asked: number | undefined): void {
  const named = new Set(parts.map(({ name }) => name));
  const unnamed = parts
    .flatMap(({ moved }) => moved)
    .find(({ shard, moved_to }) => !named.has(moved_to) && (asked === undefined || shard === asked));
  if (!unnamed) return;
  throw new AuditFailure(
    `Shard ${unnamed.shard} is on the database ${unnamed.moved_to}, which is not named: set AUDIT_DATABASES to what ` +
      'LEDGER_DATABASES of the ledger is, with a login that may read.',
  );
}

const rebuiltOf = ({ snapshot, every }: Part): RebuiltDatabase => ({
  snapshot,
  shards: every.map(({ shard }) => shard),
});
export const rebuilt = ([home, ...others]: Parts): [RebuiltDatabase, ...RebuiltDatabase[]] => [
  rebuiltOf(home),
  ...others.map(rebuiltOf),
];

const hasShard = ({ every }: Part, shard: number | undefined): boolean => every.some((head) => head.shard === shard);

/** What was kept elsewhere of a shard is compared where the shard is; of one that is nowhere, at home. */
export const partOf = (parts: Parts, shard: number | undefined): Part =>
  parts.find((part) => hasShard(part, shard)) ?? parts[0];

/** What was kept elsewhere of the shards of one part. */
export const keptOf = (
  part: Part,
  parts: Parts,
  { kept, witnessed }: { kept?: readonly string[]; witnessed: readonly Witnessed[] },
) => ({
  kept: kept?.filter((note) => partOf(parts, shardOf(readCheckpoint(note)?.origin ?? '')) === part),
  witnessed: witnessed.filter(({ shard }) => partOf(parts, shard) === part),
});

/** Shards that are gone, or that two databases have. @param count how many there are, where the auditor knows it */
export async function missingOf(parts: Parts, count: number | undefined): Promise<LogFault[]> {
  const known = (await inTurn(parts, ({ snapshot, every }) => loggedIn(snapshot, every))).flat();
  const missing = await findMissingShards(parts[0].snapshot, known, count);
  const having = (shard: number) => parts.filter((part) => hasShard(part, shard)).map(({ name }) => name);
  const twice = new Set(known.map(({ shard }) => shard).filter((shard) => having(shard).length > 1));
  const nowhere = parts
    .flatMap(({ moved }) => moved)
    .filter(({ shard }) => having(shard).length === 0 && !missing.some((fault) => fault.shard === shard));
  return [
    ...missing,
    ...[...twice].map((shard) => ({
      ...{ shard, position: 1 },
      problem: `${having(shard).join(' and ')} both have it: one of them was restored to before it was placed on the other`,
    })),
    ...nowhere.map(({ shard, moved_to }) => ({
      shard,
      position: 1,
      problem: `missing: it is said to be on ${moved_to}`,
    })),
  ];
}

const loggedIn = (sql: Sql, heads: readonly ShardHead[]): PromiseLike<KnownShard[]> =>
  sql.$queryRaw<KnownShard[]>`
    SELECT shard, COALESCE(position, 0)::int8::float8 AS logged
    FROM unnest(${heads.map(({ shard }) => shard)}::int[]) AS every (shard) LEFT JOIN LATERAL (
      SELECT max(event.position) AS position FROM ledger_events AS event WHERE event.shard = every.shard
    ) AS log ON true`;

export async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => PromiseLike<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
