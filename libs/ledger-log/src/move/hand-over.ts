/**
 * The part of a move during which no instance holds the shard. Its holder lets go; with the shard's row locked on the source the last
 * of it is copied; the source's row departs in that transaction; and it is waited until no instance can answer from the old copy.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { PLACE_VALID_MS, readShardRows } from '@stablecoin/ledger-store/placement/shard-rows';
import { Sql } from '@stablecoin/persistence/sql';
import { LogCopy } from './log-copy';
import { Move, onCopy, outrun } from './move';
import { ResultCopy } from './result-copy';
import { SignatureCopy } from './signature-copy';

export interface HandOverTimes {
  /** How long the holder has. */
  handOverMs: number;
  placeValidMs: number;
}

/** A holder notices a reservation within 250 ms, and answers what has arrived. */
const HAND_OVER_MS = 1_000;
const POLL_MS = 10;
/** Long enough to depart, short enough that a mover that is gone costs the shard's merchants little. */
const RESERVED_MS = 2_500;
/** Over what an instance counts on its own clock from the beginning of its look. */
const MARGIN_MS = 50;
const LOCK_LIMITS = { maxWait: 1_000, timeout: RESERVED_MS } as const;

/** Nothing was changed, and it can be tried again. */
export class NotHandedOver extends OperatorError {}

/** What has been copied of one shard. */
export interface ShardCopy {
  log: LogCopy;
  results: ResultCopy;
  signatures: SignatureCopy;
}

interface HandOver {
  merchants: () => Promise<readonly string[]>;
  times?: Partial<HandOverTimes> | undefined;
}

/** @throws NotHandedOver, or why else not: nothing was changed then, but where the outcome of the departure is not known */
export async function handOver(move: Move, copy: ShardCopy, { merchants, times }: HandOver): Promise<void> {
  const { handOverMs = HAND_OVER_MS, placeValidMs = PLACE_VALID_MS } = times ?? {};
  await reserve(move);
  const began = performance.now();
  try {
    await untilFree(move, handOverMs);
    const known = await merchants();
    await depart(move, copy, known);
  } catch (error) {
    await endReservation(move);
    throw isTooSlow(error) ? tooSlow(move) : error;
  }
  // An instance that has looked since the reservation answers no more from here; one that has not, for this long.
  const isCertain = performance.now() - began < RESERVED_MS;
  const waitMs = placeValidMs + MARGIN_MS - (isCertain ? performance.now() - began : 0);
  if (waitMs > 0) await delay(waitMs);
}

async function reserve({ shard, token, source }: Move): Promise<void> {
  const reserved = await source.sql.$executeRaw`
    UPDATE ledger_shards SET reserved_until = clock_timestamp() + make_interval(secs => ${RESERVED_MS / 1000})
    WHERE shard = ${shard} AND mover = ${token} AND moved_to IS NULL`;
  if (reserved !== 1) throw outrun(shard);
}

/** So that instances take it again at once, and answer. What fails lapses. */
async function endReservation({ shard, token, source }: Move): Promise<void> {
  await Promise.resolve(
    source.sql.$executeRaw`
      UPDATE ledger_shards SET reserved_until = NULL WHERE shard = ${shard} AND mover = ${token} AND moved_to IS NULL`,
  ).catch(() => undefined);
}

async function untilFree({ shard, source }: Move, handOverMs: number): Promise<void> {
  const deadline = performance.now() + handOverMs;
  for (;;) {
    const [row] = await readShardRows(source.sql, shard);
    if (!row?.held) return;
    if (performance.now() > deadline)
      throw new NotHandedOver(
        `Shard ${shard} was not handed over by its holder on ${source.name}: nothing was changed. Look whether every instance of ` +
          'wallet-ledger answers, and give the command again.',
      );
    await delay(POLL_MS);
  }
}

const tooSlow = ({ shard, source, target }: Move) =>
  new NotHandedOver(
    `The rest of shard ${shard} was not copied in the time for which it is reserved: nothing was changed. Give the command again ` +
      `when less is written on ${source.name} or ${target.name}.`,
  );

/** A checkpoint is being stored, or a holder that was cut off has the row locked; or the transaction took its time. None was committed. */
const isTooSlow = (error: unknown) => {
  const { code, message } = error as Error & { code?: string };
  return code === 'P2028' || /lock timeout|55P03/i.test(message);
};

interface LockedRow {
  epoch: bigint;
  head_position: bigint;
  head_hash: Uint8Array;
  head_signature: Uint8Array | null;
}

/** The source's row stays locked from here to the commit: nothing is appended, nothing signed, and no instance takes the shard. */
async function depart(move: Move, copy: ShardCopy, merchants: readonly string[]): Promise<void> {
  const { shard, token, source, target } = move;
  await source.sql.$transaction(async (sql) => {
    await sql.$queryRaw`
      SELECT set_config('lock_timeout', '500ms', true), set_config('idle_in_transaction_session_timeout', ${`${RESERVED_MS}ms`}, true)`;
    const [row] = await sql.$queryRaw<LockedRow[]>`
      SELECT epoch, head_position, head_hash, head_signature FROM ledger_shards
      WHERE shard = ${shard} AND mover = ${token} AND moved_to IS NULL FOR UPDATE`;
    if (!row) throw outrun(shard);
    await copyRest(sql, row, move, copy, merchants);
    const departed = await sql.$executeRaw`
      UPDATE ledger_shards SET moved_to = ${target.name}, mover = NULL, holder = NULL, lease_expires_at = NULL, reserved_until = NULL,
        epoch = epoch + 1, counting_epoch = epoch + 1,
        counted_position = CASE WHEN counting_epoch = epoch THEN counted_position ELSE head_position END
      WHERE shard = ${shard} AND (lease_expires_at IS NULL OR lease_expires_at < clock_timestamp()) AND reserved_until > clock_timestamp()`;
    if (departed !== 1) throw tooSlow(move);
  }, LOCK_LIMITS);
}

/** Into the target, whose row is then as the source's, but for its place. */
async function copyRest(
  locked: Sql,
  row: LockedRow,
  move: Move,
  { log, results, signatures }: ShardCopy,
  merchants: readonly string[],
): Promise<void> {
  while ((await log.page(locked, { isLast: true })) > 0);
  await log.finish({ position: Number(row.head_position), hash: row.head_hash });
  await results.copyTail(locked, [...new Set([...merchants, ...log.merchants])]);
  await signatures.copyNew(locked);
  await onCopy(move, async (sql) => {
    const { shard } = move;
    // Of what payouts count for, the copy has everything.
    const alike = await sql.$executeRaw`
      UPDATE ledger_shards SET head_signature = ${row.head_signature}::bytea, counted_position = head_position, counting_epoch = epoch
      WHERE shard = ${shard} AND head_position = ${row.head_position} AND head_hash = ${row.head_hash}`;
    if (alike !== 1) throw outrun(shard);
  });
}
