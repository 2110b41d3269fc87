/**
 * Signed notes (c2sp.org/signed-note): a text, an empty line, and lines with signatures. Ed25519 only. Each signature
 * names its key, by a name and the first four bytes of a hash, so that keys can be changed and several can sign.
 */
import { createHash, createPrivateKey, createPublicKey, KeyObject, sign, verify } from 'node:crypto';

const ED25519 = Buffer.from([1]);
/** The bytes before the 32 bytes of a key in its DER forms (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const SIGNATURE_LINE = /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/u;
const SIGNATURES_MAX = 32;

export class NoteSigner {
  private readonly key: KeyObject;
  readonly publicKey: Buffer;
  readonly keyId: string;

  /**
   * @param name of the key; for a checkpoint, its origin
   * @param seed 32 bytes: the private key of Ed25519
   */
  constructor(
    readonly name: string,
    seed: Buffer,
  ) {
    this.key = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' });
    const der = createPublicKey(this.key).export({ format: 'der', type: 'spki' });
    this.publicKey = der.subarray(PUBLIC_PREFIX.length);
    this.keyId = keyIdOf(name, this.publicKey);
  }

  /** The public key as tools for signed notes take it. */
  get verifierKey(): string {
    return `${this.name}+${this.keyId}+${Buffer.concat([ED25519, this.publicKey]).toString('base64')}`;
  }

  /** The signature alone, of 64 bytes. */
  signature(text: string): Buffer {
    return sign(null, Buffer.from(text), this.key);
  }

  /** @param text ends in a line feed */
  sign(text: string): string {
    const signature = Buffer.concat([Buffer.from(this.keyId, 'hex'), this.signature(text)]);
    return `${text}\n— ${this.name} ${signature.toString('base64')}\n`;
  }
}

/** A key whose signatures are trusted; without a name, under every name. */
export interface TrustedKey {
  name?: string;
  publicKey: Buffer;
}

/** Reads a key in the form `name+id+base64` of signed notes, or its 32 bytes alone in base64; undefined if it is none. */
export function parseTrustedKey(text: string): TrustedKey | undefined {
  const raw = bytesOf(text);
  return raw?.length === 32 ? { publicKey: raw } : parseVerifierKey(text, ED25519);
}

/** Reads `name+id+base64`, whose material begins with this byte; undefined if it is no such key. */
export function parseVerifierKey(text: string, type: Uint8Array): Required<TrustedKey> | undefined {
  const [, name = '', id = '', encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  const bytes = bytesOf(encoded);
  if (bytes?.length !== 33 || !bytes.subarray(0, 1).equals(type)) return undefined;
  const publicKey = bytes.subarray(1);
  return keyIdOf(name, publicKey, type) === id ? { name, publicKey } : undefined;
}

export interface NoteSignature {
  name: string;
  /** Eight hex digits. */
  keyId: string;
  signature: Buffer;
}

export interface Note {
  text: string;
  signatures: NoteSignature[];
}

/** Parses a note without checking its signatures; undefined if the text is no note. */
export function parseNote(note: string): Note | undefined {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return undefined;
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.map(parseSignature);
  if (lines.length > SIGNATURES_MAX || signatures.includes(undefined)) return undefined;
  return { text: note.slice(0, end + 1), signatures: signatures as NoteSignature[] };
}

/** The valid signature under `name` by one of the keys; undefined without one, and when any that names a key is invalid. */
export function trustedSignature(note: Note, name: string, keys: readonly TrustedKey[]): NoteSignature | undefined {
  const known = note.signatures.flatMap((signature) =>
    keys
      .filter((key) => signature.name === name && (key.name ?? name) === name)
      .filter(({ publicKey }) => keyIdOf(name, publicKey) === signature.keyId)
      .map(({ publicKey }) => ({ signature, valid: isSignature(note.text, signature.signature, publicKey) })),
  );
  return known.every(({ valid }) => valid) ? known[0]?.signature : undefined;
}

/** @param type the first byte of the key's material, which says what it signs: notes, unless given */
export function keyIdOf(name: string, publicKey: Uint8Array, type: Uint8Array = ED25519): string {
  const hash = createHash('sha256').update(`${name}\n`).update(type).update(publicKey).digest('hex');
  return hash.slice(0, 8);
}

export function isSignature(text: string, signature: Buffer, publicKey: Buffer): boolean {
  return verify(null, Buffer.from(text), keyObjectOf(publicKey), signature);
}

/** Of keys that are kept: reading one from its DER form takes Node as long as verifying a signature. */
const keyObjects = new WeakMap<Buffer, KeyObject>();

function keyObjectOf(publicKey: Buffer): KeyObject {
  const known = keyObjects.get(publicKey);
  if (known) return known;
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' });
  keyObjects.set(publicKey, key);
  return key;
}

function parseSignature(line: string): NoteSignature | undefined {
  const [, name = '', encoded = ''] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = bytesOf(encoded);
  if (!bytes || bytes.length < 5) return undefined;
  return { name, keyId: bytes.toString('hex', 0, 4), signature: bytes.subarray(4) };
}

/** Strict: one text per value. */
function bytesOf(base64: string): Buffer | undefined {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === base64 ? bytes : undefined;
}
