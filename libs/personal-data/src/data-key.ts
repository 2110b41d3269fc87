import { randomBytes } from 'node:crypto';
import { KEY_BYTES } from './key-bytes';
import { openFromText, sealToText } from './sealed-bytes';

/**
 * Envelope encryption: every owner has its own data key, stored only wrapped by the master key. Deleting the wrapped
 * key erases the owner; a change of the master key rewraps the data keys and leaves the data alone.
 */
const PURPOSE = 'data-key';

/** A new 256-bit key for one owner's fields and documents. */
export function createDataKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** The data key under the master key, bound to its owner: `v1.<nonce>.<ciphertext ‖ tag>`, base64url. */
export function wrapDataKey(masterKey: Buffer, dataKey: Buffer, ownerId: string): string {
  if (dataKey.length !== KEY_BYTES) {
    throw new Error(`A data key has ${KEY_BYTES} bytes`);
  }
  return sealToText(masterKey, [PURPOSE, ownerId], dataKey);
}

/** Throws PersonalDataUnreadable for another master key, another owner or changed text. */
export function unwrapDataKey(masterKey: Buffer, wrapped: string, ownerId: string): Buffer {
  return openFromText(masterKey, [PURPOSE, ownerId], wrapped);
}
