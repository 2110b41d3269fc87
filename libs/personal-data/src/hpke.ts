import { createCipheriv, createDecipheriv, createHmac, createPrivateKey, createPublicKey } from 'node:crypto';
import { diffieHellman, generateKeyPairSync, JsonWebKey, KeyObject } from 'node:crypto';
import { PersonalDataUnreadable } from './sealed-bytes';

/**
 * HPKE (RFC 9180), base mode, single shot: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. A sender seals to a public
 * key with a pair that it makes for one message and forgets; only the private key opens it.
 *
 * On Node's own primitives, whose calls are synchronous, as the rest of this library: the packages for HPKE go through
 * WebCrypto, where each of a dozen steps is a promise, and X25519 an experiment in Node 20.
 */
const KEM_SUITE = Buffer.from('KEM\0\x20', 'latin1');
const HPKE_SUITE = Buffer.from('HPKE\0\x20\0\x01\0\x02', 'latin1');
const VERSION_LABEL = 'HPKE-v1';
const BASE_MODE = Buffer.of(0);
const NONE = Buffer.alloc(0);
const PUBLIC_KEY_BYTES = 32;
const AEAD_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const AEAD = 'aes-256-gcm';

export interface HpkeMessage {
  /** The sender's public key of this message. */
  enc: Buffer;
  /** Ciphertext ‖ tag. */
  body: Buffer;
}

/** What both sides name: `info` for the use of the key, `aad` for the message. */
export interface HpkeContext {
  info: string;
  aad: Buffer;
}

/** A private key with its public half. */
export interface HpkeKeyPair {
  privateKey: KeyObject;
  publicKey: Buffer;
}

/** `DeriveKeyPair` of RFC 9180, 7.1.3: the same pair for the same secret. */
export function deriveKeyPair(secret: Buffer): HpkeKeyPair {
  const extracted = labeledExtract(KEM_SUITE, NONE, 'dkp_prk', secret);
  const d = labeledExpand(KEM_SUITE, extracted, 'sk', NONE, PUBLIC_KEY_BYTES).toString('base64url');
  // Node demands an `x`, and makes its own of `d`.
  const privateKey = createPrivateKey({ key: { kty: 'OKP', crv: 'X25519', d, x: d }, format: 'jwk' });
  return { privateKey, publicKey: rawOf(createPublicKey(privateKey)) };
}

/** @throws Error for bytes that are no public key */
export function publicKeyOf(raw: Buffer): KeyObject {
  if (raw.length !== PUBLIC_KEY_BYTES) throw new Error(`A public key has ${PUBLIC_KEY_BYTES} bytes`);
  const key: JsonWebKey = { kty: 'OKP', crv: 'X25519', x: raw.toString('base64url') };
  return createPublicKey({ key, format: 'jwk' });
}

export function hpkeSeal(recipient: KeyObject, { info, aad }: HpkeContext, plaintext: Buffer): HpkeMessage {
  const sender = generateKeyPairSync('x25519');
  const enc = rawOf(sender.publicKey);
  const shared = diffieHellman({ privateKey: sender.privateKey, publicKey: recipient });
  const { key, nonce } = keySchedule(sharedSecret(shared, enc, rawOf(recipient)), info);
  const cipher = createCipheriv(AEAD, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad);
  return { enc, body: Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]) };
}

/** @throws PersonalDataUnreadable */
export function hpkeOpen(recipient: HpkeKeyPair, { info, aad }: HpkeContext, { enc, body }: HpkeMessage): Buffer {
  if (enc.length !== PUBLIC_KEY_BYTES || body.length < TAG_BYTES) throw new PersonalDataUnreadable();
  try {
    // Throws for a point of low order, whose secret everyone knows.
    const shared = diffieHellman({ privateKey: recipient.privateKey, publicKey: publicKeyOf(enc) });
    const { key, nonce } = keySchedule(sharedSecret(shared, enc, recipient.publicKey), info);
    const decipher = createDecipheriv(AEAD, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(aad);
    decipher.setAuthTag(body.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(body.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new PersonalDataUnreadable();
  }
}

/** `ExtractAndExpand` of RFC 9180, 4.1: bound to both public keys. */
export function sharedSecret(diffieHellmanSecret: Buffer, enc: Buffer, recipient: Buffer): Buffer {
  const extracted = labeledExtract(KEM_SUITE, NONE, 'eae_prk', diffieHellmanSecret);
  return labeledExpand(KEM_SUITE, extracted, 'shared_secret', Buffer.concat([enc, recipient]), 32);
}

function keySchedule(shared: Buffer, info: string) {
  const context = contextOf(info);
  const secret = labeledExtract(HPKE_SUITE, shared, 'secret', NONE);
  return {
    key: labeledExpand(HPKE_SUITE, secret, 'key', context, AEAD_KEY_BYTES),
    nonce: labeledExpand(HPKE_SUITE, secret, 'base_nonce', context, NONCE_BYTES),
  };
}

function contextOf(info: string): Buffer {
  const pskIdHash = labeledExtract(HPKE_SUITE, NONE, 'psk_id_hash', NONE);
  const infoHash = labeledExtract(HPKE_SUITE, NONE, 'info_hash', Buffer.from(info, 'utf8'));
  return Buffer.concat([BASE_MODE, pskIdHash, infoHash]);
}

function labeledExtract(suite: Buffer, salt: Buffer, label: string, secret: Buffer): Buffer {
  return createHmac('sha256', salt).update(VERSION_LABEL).update(suite).update(label).update(secret).digest();
}

/** At most one block of HKDF-Expand: 32 bytes. */
function labeledExpand(suite: Buffer, extracted: Buffer, label: string, info: Buffer, bytes: number): Buffer {
  const length = Buffer.of(0, bytes);
  const block = createHmac('sha256', extracted).update(length).update(VERSION_LABEL).update(suite).update(label);
  return block.update(info).update(Buffer.of(1)).digest().subarray(0, bytes);
}

const rawOf = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x as string, 'base64url');
