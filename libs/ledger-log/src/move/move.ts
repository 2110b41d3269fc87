/** What all steps of a move know: the shard, its two sides, and the token by which a mover that began earlier is out. */
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { Sql, Transactional } from '@stablecoin/persistence/sql';

/** A database of the ledger, as the owner of its tables. */
export interface OpenDatabase {
  /** That it has in the settings. */
  name: string;
  sql: Sql & Transactional<Sql>;
}

export interface Move {
  shard: number;
  /** Of this mover: it stands in the shard's row on both sides. */
  token: string;
  source: OpenDatabase;
  target: OpenDatabase;
}

/** What a move is at, for a person who waits for it. */
export type OnProgress = (phase: 'clear' | 'events' | 'results' | 'hand over', done?: number, total?: number) => void;

/** The database ends a statement of a mover that is gone; this is how long one that works may take. */
const LONGEST = { maxWait: 10_000, timeout: 6 * 3_600_000 } as const;

export const outrun = (shard: number) =>
  new OperatorError(`Another mover has taken shard ${shard} over: look where it is with shards list, and try again.`);

/**
 * A transaction of the target that writes to the copy: only while this mover has the shard, and no other can take it before its
 * end.
 */
export function onCopy<Result>(
  { shard, token, source, target }: Move,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  let begun = false;
  return target.sql.$transaction(async (sql) => {
    // A transaction is done again after a change of the schema, and what was folded in memory would count twice.
    if (begun) throw new OperatorError(`The tables of ${target.name} were changed meanwhile: give the command again.`);
    begun = true;
    const held = await sql.$queryRaw<unknown[]>`
      SELECT shard FROM ledger_shards WHERE shard = ${shard} AND mover = ${token} AND moved_to = ${source.name} FOR UPDATE`;
    if (held.length === 0) throw outrun(shard);
    return work(sql);
  }, LONGEST);
}

/**
 * Does a part of a long copy, then rests as long as that took: other shards' merchants on the same servers and processors have half of
 * the time.
 */
export async function paced<Result>(part: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await part();
  await delay(performance.now() - began);
  return result;
}

/** The two sides' records of one shard are not of one history: nothing is overwritten, because one of them is wrong. */
export const parted = ({ shard, source, target }: Move, what: string) =>
  new OperatorError(
    `${target.name} has a copy of shard ${shard} that is not of the log on ${source.name}: ${what} differs. Nothing was moved. ` +
      'Run audit verify on both: one of them was restored or changed.',
  );
