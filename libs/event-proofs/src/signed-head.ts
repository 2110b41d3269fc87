/**
 * The ledger's signature over where a shard's log ends, stored with the head by the commit that moves it. The hash of the
 * last event covers all events before it, so that one signature vouches for the whole log up to the next append. Between
 * two checkpoints it is what tells an event of the ledger's from one that the database's owner has appended.
 *
 *   4 bytes    the id of the key, as in signed notes
 *   8 bytes    the position
 *   64 bytes   Ed25519 over "stablecoin-ledger-head/1", origin, position and hash, a line each
 */
import { isSignature, keyIdOf, NoteSigner, TrustedKey } from './signed-note';

export interface LogHead {
  position: number;
  hash: Uint8Array;
}

export interface HeadSignature {
  keyId: string;
  position: number;
  signature: Buffer;
}

const KEY_ID_BYTES = 4;
const POSITION_BYTES = 8;
const SIGNATURE_BYTES = 64;

/** @param signer whose name is the origin of the shard's log */
export function signHead(head: LogHead, signer: NoteSigner): Buffer {
  const place = Buffer.alloc(KEY_ID_BYTES + POSITION_BYTES);
  place.write(signer.keyId, 'hex');
  place.writeBigUInt64BE(BigInt(head.position), KEY_ID_BYTES);
  return Buffer.concat([place, signer.signature(textOf(signer.name, head))]);
}

/** Reads a signature without checking it; undefined if the bytes are none. */
export function readHeadSignature(bytes: Uint8Array): HeadSignature | undefined {
  const all = Buffer.from(bytes);
  if (all.length !== KEY_ID_BYTES + POSITION_BYTES + SIGNATURE_BYTES) return undefined;
  return {
    keyId: all.toString('hex', 0, KEY_ID_BYTES),
    position: Number(all.readBigUInt64BE(KEY_ID_BYTES)),
    signature: all.subarray(KEY_ID_BYTES + POSITION_BYTES),
  };
}

/**
 * Whether the signature is one over this hash, at the position that it names.
 *
 * @returns undefined when none of the keys has its id
 */
export function isHeadSigned(
  { keyId, position, signature }: HeadSignature,
  hash: Uint8Array,
  origin: string,
  keys: readonly TrustedKey[],
): boolean | undefined {
  const named = keys.filter(
    ({ name, publicKey }) => (name ?? origin) === origin && keyIdOf(origin, publicKey) === keyId,
  );
  if (named.length === 0) return undefined;
  const text = textOf(origin, { position, hash });
  return named.some(({ publicKey }) => isSignature(text, signature, publicKey));
}

const textOf = (origin: string, { position, hash }: LogHead): string =>
  `stablecoin-ledger-head/1\n${origin}\n${position}\n${Buffer.from(hash).toString('hex')}\n`;
