/**
 * What of each shard's log has the ledger not signed? Up to the last checkpoint it is signed as a tree; after that, the signature of
 * the head vouches for it, which each append makes anew. What neither covers, and is older than UNSIGNED_MAX_MS or dated as far ahead, was
 * appended by another login than the ledger's, or by a ledger that refuses to sign. So was a log without any checkpoint:
 * the ledger signs a shard as soon as it has taken it, and once a minute. What is dated in the future is a fault even where it is signed:
 * limits and prices are judged by these times.
 */
import { isHeadSigned, readHeadSignature } from '@stablecoin/event-proofs/signed-head';
import { readCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { parseTrustedKey, TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { latestCheckpoint, verifierKeys } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { readEventRows } from '@stablecoin/ledger-store/event-rows';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { Sql } from '@stablecoin/persistence/sql';
import { LogFault } from '@stablecoin/ledger-log/log/fault';
import { CheckpointOutcome } from './checkpoint-outcome';

/** The minute after which the ledger signs again, and half of it for a signature that is under way. */
export const UNSIGNED_MAX_MS = 90_000;

export interface UnsignedOptions {
  keys?: readonly TrustedKey[];
  now?: Date;
}

/** @param signed of shards whose log is sound and agrees with its checkpoints */
export async function findUnsigned(
  sql: Sql,
  signed: readonly CheckpointOutcome[],
  { keys, now = new Date() }: UnsignedOptions,
): Promise<LogFault[]> {
  const faults: LogFault[] = [];
  for (const { shard, size } of signed) {
    const fault = await unsignedIn(sql, shard, size, { keys, now });
    if (fault) faults.push({ shard, ...fault });
  }
  return faults;
}

async function unsignedIn(
  sql: Sql,
  shard: number,
  size: number,
  { keys, now }: { keys?: readonly TrustedKey[]; now: Date },
): Promise<Omit<LogFault, 'shard'> | undefined> {
  const ahead = await datedAhead(sql, shard, now);
  if (ahead) return ahead;
  const head = await headOf(sql, shard, keys);
  if (head?.problem) return { position: head.signedAt, problem: head.problem };
  const [first] = await readEventRows(sql, shard, size, 1);
  // By so much in the future as well: who appends past the ledger may date an event at will.
  if (!first || Math.abs(now.getTime() - Date.parse(first.recorded_at)) <= UNSIGNED_MAX_MS) return undefined;
  const since = `the first is of ${first.recorded_at}`;
  if (size === 0) return { position: 1, problem: `there is no checkpoint of its events, and ${since}` };
  if (head?.isSigned) return undefined;
  return { position: first.position, problem: `the ledger has not signed the events from here on, and ${since}` };
}

/** Times never run back in a log: where one is ahead, the last one is. */
async function datedAhead(sql: Sql, shard: number, now: Date): Promise<Omit<LogFault, 'shard'> | undefined> {
  const [last] = await sql.$queryRaw<{ position: bigint; body: string }[]>`
    SELECT position, body FROM ledger_events WHERE shard = ${shard} ORDER BY position DESC LIMIT 1`;
  const recordedAt = last && (JSON.parse(last.body) as RecordedEvent).recorded_at;
  if (!last || Date.parse(recordedAt ?? '') <= now.getTime() + UNSIGNED_MAX_MS) return undefined;
  return { position: Number(last.position), problem: `is dated in the future: ${recordedAt}` };
}

interface SignedHead {
  signedAt: number;
  isSigned: boolean;
  problem?: string;
}

/** Undefined without a signature that can be checked. */
async function headOf(
  sql: Sql,
  shard: number,
  given: readonly TrustedKey[] | undefined,
): Promise<SignedHead | undefined> {
  const [row] = await sql.$queryRaw<
    { head_position: bigint; head_hash: Uint8Array; head_signature: Uint8Array | null }[]
  >`SELECT head_position, head_hash, head_signature FROM ledger_shards WHERE shard = ${shard}`;
  const origin = readCheckpoint((await latestCheckpoint(sql, shard))?.note ?? '')?.origin;
  const signature = row?.head_signature && readHeadSignature(row.head_signature);
  if (!row || !origin || !signature) return undefined;
  const signedAt = signature.position;
  const end = Number(row.head_position);
  const gone = { signedAt: end + 1, isSigned: false, problem: `missing: the ledger signed its head at ${signedAt}` };
  if (signedAt > end) return gone;
  if (signedAt === 0) return { signedAt, isSigned: end === 0 };
  const [event] = await readEventRows(sql, shard, signedAt - 1, 1);
  if (!event) return gone;
  const keys = given ?? (await verifierKeys(sql, shard)).flatMap((key) => parseTrustedKey(key) ?? []);
  const valid = isHeadSigned(signature, event.hash, origin, keys);
  if (valid === false)
    return { signedAt, isSigned: false, problem: 'is not the event that the ledger signed as its head' };
  return { signedAt, isSigned: valid === true && signedAt === end };
}
