/**
 * Copies of shards that are on other databases (docs/adr/0066), rebuilt from their own log beside the shards that are here. The ledger
 * asks its tables by merchant, customer, wallet and address, and not by shard: a row of a copy that was changed would be shown to
 * merchants of the shards that are here, or decide for them. So a copy's rows are compared as those of any shard, also while a mover makes
 * it: at any moment they are those of its log up to its head. Left out are the rows of a copy whose log is at fault, which is named.
 */
import { RebuildOptions, ShardFollower } from '@stablecoin/ledger-log/rebuild/rebuild-log';
import { Sql } from '@stablecoin/persistence/sql';
import { inTurn } from '../database/in-turn';
import { Part, Parts } from '../database/placed-snapshots';
import { ShardCopy } from '../database/placements';
import { noteLeftOut } from '../rebuild/left-out';
import { analyzeTables, TEMPORARY_SCHEMA } from '../rebuild/scratch-tables';
import { CopyOutcome } from './shard-copies';

export interface CopyBeingMade {
  shard: number;
  database: string;
}

export interface RebuiltCopies {
  /** Those that were judged, and what is wrong with one that can't be projected. */
  copies: CopyOutcome[];
  being_made: CopyBeingMade[];
  /** By database: the shards whose rows are left out. */
  leftOut: ReadonlyMap<string, readonly number[]>;
}

type Options = Pick<RebuildOptions, 'pageSize' | 'limits' | 'askers'>;

/**
 * Into the tables into which the log was rebuilt, once nothing else is read from them that is of all databases
 * together: the same rows are rebuilt where the shard is. Where every log is sound: a row of one that is not can't be told from
 * a row of a copy.
 *
 * @param judged what was found of their logs
 */
export async function rebuildCopies(
  parts: Parts,
  judged: readonly CopyOutcome[],
  options: Options,
): Promise<RebuiltCopies> {
  const rebuilt = await inTurn(parts, (part) => rebuildThoseOf(part, judged, options));
  const kept = parts.map((part, index) => ({
    ...part,
    copies: part.copies.filter(({ shard }) => rebuilt[index]?.leftOut.includes(shard)),
  }));
  await noteLeftOut(kept, ['wallets_elsewhere', 'merchants_elsewhere']);
  const faults = rebuilt.flatMap((one) => one.faults);
  return {
    copies: judged.map((one) => faults.find((other) => isOf(one, other)) ?? one),
    being_made: rebuilt.flatMap((one) => one.being_made),
    leftOut: new Map(parts.map(({ name }, index) => [name, rebuilt[index]?.leftOut ?? []])),
  };
}

const isOf = (one: CopyOutcome, other: CopyOutcome) => one.shard === other.shard && one.database === other.database;

interface OfPart {
  faults: CopyOutcome[];
  being_made: CopyBeingMade[];
  leftOut: number[];
}

async function rebuildThoseOf(part: Part, judged: readonly CopyOutcome[], options: Options): Promise<OfPart> {
  const found: OfPart = { faults: [], being_made: [], leftOut: [] };
  for (const copy of part.copies) {
    const outcome = judged.find(({ shard, database }) => shard === copy.shard && database === part.name);
    // Of one without events nothing follows: what says that it is of that shard is a surplus.
    if (!outcome) continue;
    if (copy.isBeingMade) found.being_made.push({ shard: copy.shard, database: part.name });
    const fault = outcome.fault ?? (await rebuildOne(part, copy, options));
    if (fault) found.leftOut.push(copy.shard);
    if (fault && !outcome.fault) found.faults.push({ ...outcome, fault });
  }
  if (part.copies.length > 0) await analyzeTables(part.snapshot, TEMPORARY_SCHEMA);
  return found;
}

/** The evidence in its log was checked where the shard is: each event of it is the same. */
async function rebuildOne(
  { name, snapshot }: Part,
  { shard, head, counted, isBeingMade }: ShardCopy,
  { pageSize, limits, askers }: Options,
): Promise<CopyOutcome['fault']> {
  if (!(await hasProjections(snapshot, shard))) return null;
  const follower = new ShardFollower(shard, {
    ...{ countedTo: counted, until: head.position },
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(limits === undefined ? {} : { limits }),
    ...(askers === undefined ? {} : { askers }),
  });
  await follower.followToTheEnd(snapshot);
  // The mover's pages end anywhere, also between events that were written together.
  const fault = isBeingMade ? follower.fault : follower.finish(head).fault;
  if (!fault) return null;
  return { position: fault.position, problem: `the copy on ${name} can not be projected: ${fault.problem}` };
}

/** `npm run rebuild -- --switch` takes them all away, and the log stays: then each row that says that it is of the shard is a surplus. */
async function hasProjections(sql: Sql, shard: number): Promise<boolean> {
  const [row] = await sql.$queryRaw<{ has: boolean }[]>`
    SELECT EXISTS (SELECT FROM public.wallets WHERE shard = ${shard})
      OR EXISTS (SELECT FROM public.account_balances WHERE shard = ${shard})
      OR EXISTS (SELECT FROM public.transactions WHERE shard = ${shard})
      OR EXISTS (SELECT FROM public.payout_policies WHERE shard = ${shard})
      OR EXISTS (SELECT FROM public.payout_usage WHERE shard = ${shard}) AS has`;
  if (row?.has) return true;
  const closed = await sql.$queryRaw<unknown[]>`
    SELECT 1 FROM public.closed_customers WHERE customer_id IN (
      SELECT (body::json ->> 'customer_id')::uuid FROM public.ledger_events
      WHERE shard = ${shard} AND account_id IS NULL AND transaction IS NULL
    ) LIMIT 1`;
  return closed.length > 0;
}
