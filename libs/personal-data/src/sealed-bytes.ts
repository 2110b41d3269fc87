import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { KEY_BYTES } from './key-bytes';

/**
 * AES-256-GCM with a random 96-bit nonce and a 128-bit tag (NIST SP 800-38D, sections 8.2.2 and 8.3). Random nonces
 * allow 2^32 sealings per key: far above what one owner's data key, or the wrapping of data keys, ever sees.
 *
 * Bytes: version (1) ‖ nonce (12) ‖ ciphertext ‖ tag (16). Text: `v1.<nonce>.<ciphertext ‖ tag>`, both in base64url.
 * The version is authenticated too, so that a later format can't be passed off as this one.
 */
const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const VERSION_TEXT = `v${VERSION}`;
const VERSION_BYTES = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Sealed data can't be read: wrong key, owner or field, or a changed byte. Nothing tells which of these it is. */
export class PersonalDataUnreadable extends Error {
  constructor(message = 'Personal data can not be read with this key, owner and field') {
    super(message);
    this.name = new.target.name;
  }
}

/** Names the place to which sealed data is bound; opening needs the same parts in the same order. */
export type SealContext = readonly [purpose: string, ...parts: string[]];

export function sealToBytes(key: Buffer, context: SealContext, plaintext: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  return Buffer.concat([Buffer.of(VERSION), nonce, encrypt(key, nonce, context, plaintext)]);
}

export function openFromBytes(key: Buffer, context: SealContext, sealed: Buffer): Buffer {
  assertKey(key);
  if (sealed[0] !== VERSION) {
    throw new PersonalDataUnreadable();
  }
  const bodyStart = VERSION_BYTES + NONCE_BYTES;
  return decrypt(key, sealed.subarray(VERSION_BYTES, bodyStart), context, sealed.subarray(bodyStart));
}

export function sealToText(key: Buffer, context: SealContext, plaintext: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const body = encrypt(key, nonce, context, plaintext);
  return `${VERSION_TEXT}.${nonce.toString('base64url')}.${body.toString('base64url')}`;
}

export function openFromText(key: Buffer, context: SealContext, sealed: string): Buffer {
  assertKey(key);
  const [version, nonce, body, ...rest] = sealed.split('.');
  if (version !== VERSION_TEXT || nonce === undefined || body === undefined || rest.length > 0) {
    throw new PersonalDataUnreadable();
  }
  return decrypt(key, strictBase64Url(nonce), context, strictBase64Url(body));
}

function encrypt(key: Buffer, nonce: Buffer, context: SealContext, plaintext: Buffer): Buffer {
  assertKey(key);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(authenticatedData(context));
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, nonce: Buffer, context: SealContext, body: Buffer): Buffer {
  if (nonce.length !== NONCE_BYTES || body.length < TAG_BYTES) {
    throw new PersonalDataUnreadable();
  }
  const tagStart = body.length - TAG_BYTES;
  // Without authTagLength Node would accept a tag cut to four bytes, which can be forged.
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(authenticatedData(context));
  decipher.setAuthTag(body.subarray(tagStart));
  try {
    return Buffer.concat([decipher.update(body.subarray(0, tagStart)), decipher.final()]);
  } catch {
    throw new PersonalDataUnreadable();
  }
}

/**
 * Each part after its length in bytes: joined without it, owner 'a' + field 'bc' would equal owner 'ab' + field 'c'.
 */
export function authenticatedData(context: SealContext): Buffer {
  const parts = [VERSION_TEXT, ...context].flatMap((part) => {
    const bytes = Buffer.from(part, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat(parts);
}

/** Node's decoder skips foreign characters and spare bits, so several texts would open alike: accepts only one. */
export function strictBase64Url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) {
    throw new PersonalDataUnreadable();
  }
  return bytes;
}

/** A key of another length is a bug of ours, not unreadable data. */
function assertKey(key: Buffer): void {
  if (key.length !== KEY_BYTES) {
    throw new Error(`A key has ${KEY_BYTES} bytes`);
  }
}
