import { openFromBytes, openFromText, sealToBytes, sealToText, type SealContext } from './sealed-bytes';

/**
 * Personal data under its owner's data key. Each value is bound to owner and field name, so that a value copied into
 * another row or column doesn't open there. Opening throws PersonalDataUnreadable.
 */
function fieldContext(ownerId: string, fieldName: string): SealContext {
  return ['field', ownerId, fieldName];
}

/** Text form, for columns: `v1.<nonce>.<ciphertext ‖ tag>`, base64url. Sealing twice gives two different texts. */
export function sealField(dataKey: Buffer, ownerId: string, fieldName: string, plaintext: string | Buffer): string {
  const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext;
  return sealToText(dataKey, fieldContext(ownerId, fieldName), bytes);
}

/** The text that was sealed. Text only: bytes that aren't UTF-8 go through `sealBytes` and `openBytes`. */
export function openField(dataKey: Buffer, ownerId: string, fieldName: string, sealed: string): string {
  return openFromText(dataKey, fieldContext(ownerId, fieldName), sealed).toString('utf8');
}

/** Byte form, for documents: version (1) ‖ nonce (12) ‖ ciphertext ‖ tag (16), 29 bytes more than the document. */
export function sealBytes(dataKey: Buffer, ownerId: string, fieldName: string, plaintext: Buffer): Buffer {
  return sealToBytes(dataKey, fieldContext(ownerId, fieldName), plaintext);
}

export function openBytes(dataKey: Buffer, ownerId: string, fieldName: string, sealed: Buffer): Buffer {
  return openFromBytes(dataKey, fieldContext(ownerId, fieldName), sealed);
}
