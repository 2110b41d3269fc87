/**
 * Is the log of a shard the one that this ledger wrote? Asked when an instance takes the shard and whenever it signs, in one
 * look: at the head with its signature, at what this instance remembers to have signed, and at the events that both name.
 *
 * | the log                                                  | the shard is   | the log is       |
 * |----------------------------------------------------------|----------------|------------------|
 * | ends where the ledger's key has signed that it ends      | served         | signed           |
 * | goes on after that, or was never signed: by a version    | served         | not signed, but  |
 * | before, or by the database's owner                       |                | if accepted      |
 * | contradicts a signature or the memory: `LogContradicted` | not served     | not signed       |
 */
import { isHeadSigned, readHeadSignature } from '@stablecoin/event-proofs/signed-head';
import { NoteSigner, parseTrustedKey, TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { verifierKeys } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { Sql } from '@stablecoin/persistence/sql';
import { Head } from '../event-log/lease';
import { SignedMemory, SignedState } from './signed-memory';

/** The log is not what was signed: nothing more is signed until an operator has looked. */
export class LogBroken extends Error {}

/** The log is certainly not this ledger's: not served either, because whatever is appended would build upon a forgery. */
export class LogContradicted extends LogBroken {}

export interface HeadJudge {
  shard: number;
  /** Named after the origin of the shard's log. */
  signer: NoteSigner;
  /** Left out where no directory is configured. */
  memory?: SignedMemory;
  /** Whether to sign what an instance of a version before, that signs no heads, has appended. */
  acceptsUnsigned?: boolean;
  /** Where the log ended when this instance found that another login had moved its head. */
  known?: Head;
}

export interface Judgement {
  head: Head;
  kept: SignedState | undefined;
  /** Whether the ledger's key has signed that the log ends at `head`. */
  signed: boolean;
  /** Why nothing is signed, if nothing is. */
  refusal: string | undefined;
}

/** @throws LogContradicted */
export async function judgeHead(sql: Sql, judge: HeadJudge): Promise<Judgement> {
  const { shard, signer, memory, acceptsUnsigned = false, known } = judge;
  const kept = await memory?.read(shard);
  if (kept && kept.origin !== signer.name) {
    throw new LogContradicted(`${memory?.place(shard)} remembers a log of ${kept.origin}, not of ${signer.name}`);
  }
  const row = await headRow(sql, shard);
  const { head, signature } = row;
  const pinned = [kept && { position: kept.size, hash: kept.head_hash, by: `signed at ${kept.time}` }, known]
    .filter((one) => one !== undefined)
    .map((one) => ({ by: 'written by this instance', ...one }));
  const hashes = await hashesAt(sql, shard, [head, signature, ...pinned]);
  const claim = (position: number, hash: Uint8Array, by: string) => {
    if (position > 0 && !hashes.get(position)?.equals(hash)) {
      throw new LogContradicted(`position ${position} is not the event that was ${by}`);
    }
  };
  pinned.forEach(({ position, hash, by }) => claim(position, hash, by));
  claim(head.position, head.hash, 'recorded as the head');
  const signed = signature && (await isSigned(sql, judge, kept, row, hashes));
  if (signed) return { head, kept, signed, refusal: undefined };
  const last = signature
    ? `the head that was signed last is ${signature.position}, by key ${signature.keyId}`
    : 'no head was';
  const refusal = `the log's end at ${head.position} is not signed by the ledger's key: ${last}`;
  if (known) throw new LogContradicted(refusal);
  const isFirst = !signature && !kept;
  return { head, kept, signed: false, refusal: acceptsUnsigned || isFirst ? undefined : refusal };
}

interface HeadRow {
  head: Head;
  signature: ReturnType<typeof readHeadSignature>;
}

async function headRow(sql: Sql, shard: number): Promise<HeadRow> {
  const [row] = await sql.$queryRaw<
    { head_position: bigint; head_hash: Uint8Array; head_signature: Uint8Array | null }[]
  >`SELECT head_position, head_hash, head_signature FROM ledger_shards WHERE shard = ${shard}`;
  if (!row) throw new LogContradicted(`shard ${shard} has no head`);
  const signature = row.head_signature ? readHeadSignature(row.head_signature) : undefined;
  if (row.head_signature && !signature) throw new LogContradicted('the signature of the head is none');
  return { head: { position: Number(row.head_position), hash: Buffer.from(row.head_hash) }, signature };
}

async function hashesAt(
  sql: Sql,
  shard: number,
  places: readonly ({ position: number } | undefined)[],
): Promise<Map<number, Buffer>> {
  const positions = places.flatMap((place) => (place ? [BigInt(place.position)] : []));
  const rows = await sql.$queryRaw<{ position: bigint; hash: Uint8Array }[]>`
    SELECT position, hash FROM ledger_events WHERE shard = ${shard} AND position = ANY (${positions}::bigint[])`;
  return new Map(rows.map(({ position, hash }) => [Number(position), Buffer.from(hash)]));
}

/** @returns whether it is over the head itself; false for an earlier position, or by a key that is not known here */
async function isSigned(
  sql: Sql,
  { shard, signer, memory }: HeadJudge,
  kept: SignedState | undefined,
  { head, signature }: HeadRow,
  hashes: ReadonlyMap<number, Buffer>,
): Promise<boolean> {
  if (!signature) return false;
  const keys: TrustedKey[] = [{ publicKey: signer.publicKey }];
  // What the database names is trusted only where nothing outside of it says what was signed.
  const others = kept ? [kept.verifier_key] : memory ? [] : await verifierKeys(sql, shard);
  keys.push(...others.flatMap((key) => parseTrustedKey(key) ?? []));
  const hash =
    signature.position === 0 || signature.position === head.position ? head.hash : hashes.get(signature.position);
  if (signature.position > head.position || !hash) {
    throw new LogContradicted(
      `the log ends at ${head.position}, but the ledger has signed its head at ${signature.position}`,
    );
  }
  if (signature.position === 0 && head.position > 0) return false;
  const valid = isHeadSigned(signature, hash, signer.name, keys);
  if (valid === false)
    throw new LogContradicted(`position ${signature.position} is not the head that the ledger signed`);
  return valid === true && signature.position === head.position;
}
