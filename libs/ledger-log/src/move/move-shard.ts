/**
 * Moves a shard from one of the ledger's databases to another while the ledger works. The process can be gone after any commit
 * (docs/adr/0066):
 *
 * | step      | commits                                                               | where the shard is after it                      |
 * |-----------|-----------------------------------------------------------------------|--------------------------------------------------|
 * | take      | each side: the mover's token, by which a mover that began before is   | on the source                                    |
 * |           | out; at the target a row that names the source                        |                                                  |
 * | copy      | target: the log page by page with what it projects, results of        | on the source; the target has a prefix of the    |
 * |           | commands, what was signed                                             | log, of which it answers nothing                 |
 * | reserve   | source: `reserved_until`, and its holder hands the shard over         | on the source; the reservation lapses            |
 * | hand over | target: the last events, results and signatures, the source's row     | on the source                                    |
 * |           | being locked                                                          |                                                  |
 * | depart    | source: it names the target, under a new epoch and without a holder   | with neither: done again it arrives, on the side |
 * |           |                                                                       | that is asked for                                |
 * | wait      | nothing: until no instance answers from the old copy (PLACE_VALID_MS) | with neither                                     |
 * | arrive    | target: it names no other, under an epoch above the source's          | on the target                                    |
 *
 * Two movers can't both bring a shard to an end: each takes the source, then the target, and looks whether it still has the source. Who
 * has both has put every other out, and every transaction that writes holds the row in which its own token stands.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { PLACE_VALID_MS, readShardRows, ShardRow } from '@stablecoin/ledger-store/placement/shard-rows';
import { clearCopy } from './clear-copy';
import { handOver, HandOverTimes, NotHandedOver, ShardCopy } from './hand-over';
import { LogCopy, PAGE_SIZE } from './log-copy';
import { Move, OnProgress, OpenDatabase, outrun, paced } from './move';
import { ResultCopy } from './result-copy';
import { SignatureCopy } from './signature-copy';

const ATTEMPTS = 5;
const PAUSE_MS = 2_000;
/** What is written while this much is copied is little enough to be copied while the shard is reserved. */
const SHORT_MS = 100;
/** A writer that is as fast as the copy leaves it no nearer than this. */
const CATCH_UPS_MAX = 50;

interface Side extends OpenDatabase {
  row: ShardRow | undefined;
}

export interface MoveRequest {
  shard: number;
  /** The name of a database. */
  to: string;
  /** The shard's merchants as the customer service has them: one of whom nothing is in the log may have results. */
  merchants: () => Promise<readonly string[]>;
  onProgress?: OnProgress;
  /** For tests, which do not wait as long. */
  pageSize?: number;
  attempts?: number;
  pauseMs?: number;
  times?: Partial<HandOverTimes>;
}

export interface MovedShard {
  /** False where it had been there before. */
  moved: boolean;
  events: number;
  /** For how long no instance could hold it. */
  reserved_ms: number;
}

/**
 * @param databases all of the ledger's
 * @throws OperatorError why not
 */
export async function moveShard(databases: readonly OpenDatabase[], request: MoveRequest): Promise<MovedShard> {
  const { shard, to } = request;
  const sides = await Promise.all(
    databases.map(async (database): Promise<Side> => ({
      ...database,
      row: (await readShardRows(database.sql, shard))[0],
    })),
  );
  const target = sides.find(({ name }) => name === to);
  if (!target) throw new OperatorError(`There is no database "${to}": there are ${namesOf(databases)}.`);
  const having = sides.filter(({ row }) => row?.moved_to === null);
  if (having.length > 1)
    throw new OperatorError(`${namesOf(having)} both say that they have shard ${shard}: was one of them restored?`);
  const [source] = having;
  if (source === target) return { moved: false, events: target.row?.head_position ?? 0, reserved_ms: 0 };
  const other = source ?? departedFrom(sides, target, shard);
  const move: Move = { shard, token: randomUUID(), source: other, target };
  await take(move, source !== undefined);
  if (source) return copyAndHandOver(move, request);
  const began = performance.now();
  await settle(move);
  await delay(request.times?.placeValidMs ?? PLACE_VALID_MS);
  const events = await arrive(move);
  return { moved: true, events, reserved_ms: Math.round(performance.now() - began) };
}

const namesOf = (databases: readonly OpenDatabase[]) => databases.map(({ name }) => name).join(', ');

/** Neither side has it: a mover departed and did not arrive. It arrives now, where it is asked for. */
function departedFrom(sides: readonly Side[], target: Side, shard: number): Side {
  const other = sides.find(({ name, row }) => name === target.row?.moved_to && row?.moved_to === target.name);
  if (other) return other;
  const known = sides.flatMap(({ name, row }) => (row ? [`${name} says ${row.moved_to}`] : []));
  throw new OperatorError(
    `No database has shard ${shard}${known.length > 0 ? ` (${known.join(', ')})` : ''}: are all databases named, and has the ledger ` +
      'made it? Where two name each other a move was interrupted: give it again, with --to either of them.',
  );
}

async function take({ shard, token, source, target }: Move, isHere: boolean): Promise<void> {
  const taken = await source.sql.$executeRaw`
    UPDATE ledger_shards SET mover = ${token} WHERE shard = ${shard} AND moved_to IS NOT DISTINCT FROM ${isHere ? null : target.name}`;
  if (taken !== 1) throw outrun(shard);
  const met = await target.sql.$executeRaw`
    INSERT INTO ledger_shards AS known (shard, head_hash, moved_to, mover) VALUES (${shard}, ${GENESIS_HASH}, ${source.name}, ${token})
    ON CONFLICT (shard) DO UPDATE SET moved_to = excluded.moved_to, mover = excluded.mover WHERE known.moved_to IS NOT NULL`;
  if (met !== 1) throw outrun(shard);
  const [row] = await readShardRows(source.sql, shard);
  if (row?.mover !== token) throw outrun(shard);
}

async function copyAndHandOver(move: Move, request: MoveRequest): Promise<MovedShard> {
  const { onProgress, times, attempts = ATTEMPTS, pauseMs = PAUSE_MS } = request;
  const { sql } = move.source;
  const log = new LogCopy(move, request.pageSize);
  const copy: ShardCopy = { log, results: new ResultCopy(move), signatures: new SignatureCopy(move, log) };
  const merchants = async () => [...new Set([...(await request.merchants()), ...log.merchants])];
  onProgress?.('clear');
  await clearCopy(move);
  await catchUp(move, copy, request);
  await copy.results.copyAll(await merchants(), onProgress);
  for (let attempt = 1; ; attempt += 1) {
    await catchUp(move, copy, request);
    await copy.results.copyTail(sql, await merchants());
    await copy.signatures.copyNew(sql);
    onProgress?.('hand over');
    const began = performance.now();
    try {
      await handOver(move, copy, { merchants, times });
      const events = await arrive(move);
      return { moved: true, events, reserved_ms: Math.round(performance.now() - began) };
    } catch (error) {
      if (!(error instanceof NotHandedOver) || attempt >= attempts) throw error;
      await delay(pauseMs);
    }
  }
}

/** Until what is missing is less than a page, and was written in a short time. */
async function catchUp(
  { shard, source }: Move,
  { log }: ShardCopy,
  { onProgress, pageSize }: MoveRequest,
): Promise<void> {
  for (let round = 0; round < CATCH_UPS_MAX; round += 1) {
    const began = performance.now();
    const total = (await readShardRows(source.sql, shard))[0]?.head_position ?? 0;
    let count = 0;
    for (let events = -1; events !== 0 && log.position < total; count += events) {
      events = await paced(() => log.page(source.sql));
      onProgress?.('events', log.position, total);
    }
    if (count < (pageSize ?? PAGE_SIZE) && performance.now() - began < SHORT_MS) return;
  }
}

/**
 * The copy that the departure left has no mover, so that `verify` compares it: who finishes the move has put a token there to be the only
 * one, and takes it away. Before the arrival, because a move that has arrived is not given again.
 */
async function settle({ shard, token, source, target }: Move): Promise<void> {
  await source.sql.$executeRaw`
    UPDATE ledger_shards SET mover = NULL WHERE shard = ${shard} AND mover = ${token} AND moved_to = ${target.name}`;
}

/** @returns the number of events */
async function arrive({ shard, token, source, target }: Move): Promise<number> {
  const [left] = await source.sql.$queryRaw<{ epoch: bigint; head_position: bigint; head_hash: Uint8Array }[]>`
    SELECT epoch, head_position, head_hash FROM ledger_shards WHERE shard = ${shard} AND moved_to = ${target.name}`;
  if (!left) throw outrun(shard);
  // What payouts count for is with the rows up to where it was under the epoch before.
  const arrived = await target.sql.$executeRaw`
    UPDATE ledger_shards SET moved_to = NULL, mover = NULL,
      epoch = greatest(epoch, ${left.epoch}) + 1, counting_epoch = greatest(epoch, ${left.epoch}) + 1,
      counted_position = CASE WHEN counting_epoch = epoch THEN counted_position ELSE head_position END
    WHERE shard = ${shard} AND mover = ${token} AND moved_to = ${source.name}
      AND head_position = ${left.head_position} AND head_hash = ${left.head_hash}`;
  if (arrived === 1) return Number(left.head_position);
  const [row] = await readShardRows(target.sql, shard);
  if (row?.mover !== token) throw outrun(shard);
  throw new OperatorError(
    `Shard ${shard} left ${source.name} at ${left.head_position}, and the copy on ${target.name} ends at ${row.head_position}: ` +
      'it does not arrive there. Was one of them restored? Run audit verify on both before anything else.',
  );
}
