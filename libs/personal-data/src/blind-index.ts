import { createHmac } from 'node:crypto';
import { KEY_BYTES } from './key-bytes';

const DOMAIN = 'stablecoin/blind-index/v1';

/**
 * A keyed fingerprint by which a sealed value can be found and kept unique without being readable: HMAC-SHA256 in
 * base64url, 43 characters. Equal values of one kind give equal indexes; the same text as another kind gives another.
 *
 * The caller normalises first (an email in lower case, say): the index compares bytes.
 *
 * @param key 32 bytes, used for nothing else
 * @param kind what the value is and within what it is unique, e.g. 'customer.email:<merchant id>'
 */
export function blindIndex(key: Buffer, kind: string, normalizedValue: string): string {
  if (key.length !== KEY_BYTES) {
    throw new Error(`A key has ${KEY_BYTES} bytes`);
  }
  // JSON keeps the parts apart: no two different triples have the same text.
  const message = JSON.stringify([DOMAIN, kind, normalizedValue]);
  return createHmac('sha256', key).update(message, 'utf8').digest('base64url');
}
