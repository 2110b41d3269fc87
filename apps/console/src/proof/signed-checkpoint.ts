/** Signed checkpoints (c2sp.org/tlog-checkpoint) with the browser's own cryptography. */
import { type Bytes, fromBase64, joined, sha256, toHex } from './bytes';

const ED25519 = Uint8Array.of(1);
const SIGNATURES_MAX = 32;
const SIGNATURE_LINE = /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/u;
const SIZE = /^(0|[1-9]\d{0,14})$/;
const TIME = /^time (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;

export interface Checkpoint {
  origin: string;
  size: number;
  root: Bytes;
  time: string;
  /** What is signed. */
  text: string;
  signatures: { name: string; keyId: string; signature: Bytes }[];
}

/** Undefined if it is no checkpoint. */
export function readCheckpoint(note: string): Checkpoint | undefined {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return undefined;
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.flatMap((line) => signatureOf(line) ?? []);
  if (lines.length > SIGNATURES_MAX || signatures.length < lines.length) return undefined;
  const text = note.slice(0, end + 1);
  const [origin = '', size = '', encoded = '', timeLine = '', ...rest] = text.split('\n');
  const [root, time] = [fromBase64(encoded), TIME.exec(timeLine)?.[1]];
  const isWhole = rest.length === 1 && rest[0] === '' && origin !== '' && SIZE.test(size);
  if (!isWhole || root?.length !== 32 || time === undefined) return undefined;
  return { origin, size: Number(size), root, time, text, signatures };
}

function signatureOf(line: string) {
  const [, name = '', encoded = ''] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (bytes === undefined || bytes.length < 5) return undefined;
  return { name, keyId: toHex(bytes.slice(0, 4)), signature: bytes.slice(4) };
}

/** The shard whose log an origin names. */
export function shardOf(origin: string): number | undefined {
  const [, shard] = /\/shard\/(0|[1-9]\d{0,4})$/.exec(origin) ?? [];
  return shard === undefined ? undefined : Number(shard);
}

export interface PublicKey {
  /** Undefined for a key that is given by its bytes alone. */
  name?: string;
  bytes: Bytes;
}

/** 32 bytes in base64, or `name+id+base64` as tools for signed notes have it; undefined if it is neither. */
export async function readPublicKey(text: string): Promise<PublicKey | undefined> {
  const raw = fromBase64(text);
  if (raw?.length === 32) return { bytes: raw };
  const [, name = '', id = '', encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  const material = fromBase64(encoded);
  if (material?.length !== 33 || material[0] !== ED25519[0]) return undefined;
  const bytes = material.slice(1);
  return (await keyIdOf(name, bytes)) === id ? { name, bytes } : undefined;
}

const keyIdOf = async (name: string, bytes: Bytes) => toHex(await sha256(`${name}\n`, ED25519, bytes)).slice(0, 8);

/** Whether the log has signed it with this key. */
export async function isSignedBy(checkpoint: Checkpoint, key: PublicKey): Promise<boolean> {
  const { origin, text, signatures } = checkpoint;
  if ((key.name ?? origin) !== origin) return false;
  const keyId = await keyIdOf(origin, key.bytes);
  const named = signatures.filter((signature) => signature.name === origin && signature.keyId === keyId);
  const imported = await crypto.subtle.importKey('raw', key.bytes, 'Ed25519', false, ['verify']);
  const valid = await Promise.all(
    named.map(({ signature }) => crypto.subtle.verify('Ed25519', imported, signature, joined(text))),
  );
  return valid.length > 0 && valid.every(Boolean);
}
