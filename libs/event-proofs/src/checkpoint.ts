/**
 * A checkpoint (c2sp.org/tlog-checkpoint): a log's statement of its root at one size, in a signed note.
 *
 *   ledger.example/shard/0                              origin: which log; also the name of its key
 *   1204                                                size: how many events, and so the last one's position
 *   CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=        root of the Merkle tree over them
 *   time 2026-11-21T12:00:00.000Z                       when it was signed
 *
 *   — ledger.example/shard/0 Az3grlgtzPICa5…            key id and signature
 */
import { Hash } from './merkle-tree';
import { NoteSigner, parseNote, trustedSignature, TrustedKey } from './signed-note';

export interface Checkpoint {
  origin: string;
  size: number;
  root: Hash;
  /** ISO 8601, UTC, milliseconds. */
  time: string;
}

const SIZE = /^(0|[1-9]\d{0,14})$/;
const ROOT = /^[A-Za-z0-9+/]{43}=$/;
const TIME = /^time (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;

export const originOf = (ledger: string, shard: number): string => `${ledger}/shard/${shard}`;

/** The shard that an origin names; undefined if it is no ledger's origin. */
export function shardOf(origin: string): number | undefined {
  const [, shard] = /\/shard\/(0|[1-9]\d{0,4})$/.exec(origin) ?? [];
  return shard === undefined ? undefined : Number(shard);
}

/** @param signer whose name is the origin */
export function signCheckpoint({ size, root, time }: Omit<Checkpoint, 'origin'>, signer: NoteSigner): string {
  return signer.sign(`${signer.name}\n${size}\n${root.toString('base64')}\ntime ${time}\n`);
}

/** Reads a checkpoint without checking its signatures; undefined if the text is no checkpoint. */
export function readCheckpoint(note: string): (Checkpoint & { keyIds: string[] }) | undefined {
  const parsed = parseNote(note);
  const [origin = '', size = '', root = '', timeLine = '', ...rest] = parsed?.text.split('\n') ?? [];
  const [, time] = TIME.exec(timeLine) ?? [];
  const ends = rest.length === 1 && rest[0] === '';
  if (!parsed || !origin || !SIZE.test(size) || !ROOT.test(root) || time === undefined || !ends) return undefined;
  const keyIds = parsed.signatures.filter(({ name }) => name === origin).map(({ keyId }) => keyId);
  return { origin, size: Number(size), root: Buffer.from(root, 'base64'), time, keyIds };
}

export type VerifiedCheckpoint = Checkpoint & { keyId: string };

/** Reads a checkpoint that one of these keys has signed; else the reason why it is not trusted. */
export function verifyCheckpoint(note: string, keys: readonly TrustedKey[]): VerifiedCheckpoint | string {
  const parsed = parseNote(note);
  const checkpoint = readCheckpoint(note);
  if (!parsed || !checkpoint) return 'it is no checkpoint';
  const { origin, size, root, time, keyIds } = checkpoint;
  const signature = trustedSignature(parsed, origin, keys);
  if (!signature) return `no valid signature by a key that was given; signed under ${keyIds.join(', ') || 'no'} key id`;
  return { origin, size, root, time, keyId: signature.keyId };
}
