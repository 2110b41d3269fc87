import { DOCUMENT_BYTES_MAX } from '@stablecoin/contracts/customer/document';
import { Refusal } from '@stablecoin/contracts/wire/refusal';

/** How each accepted kind of file begins. */
const MAGIC_BYTES: readonly (readonly [mediaType: string, magic: Buffer])[] = [
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
  ['application/pdf', Buffer.from('%PDF-', 'latin1')],
];

/** By its first bytes; undefined for what is no document. */
export function mediaTypeOf(content: Buffer): string | undefined {
  return MAGIC_BYTES.find(([, magic]) => content.subarray(0, magic.length).equals(magic))?.[0];
}

/** What is judged of a document, read from its first byte to its last. */
export interface DocumentSummary {
  bytes: number;
  sha256: string;
  /** Undefined for what is no document. */
  mediaType: string | undefined;
}

/** Judges a document that is whole: its size, its kind by its first bytes, and that it is what was announced. */
export function requireDocument(document: DocumentSummary, sha256: string): void {
  if (document.bytes > DOCUMENT_BYTES_MAX) {
    throw Refusal.ofField('bytes', 'document_too_large', `must not be larger than ${DOCUMENT_BYTES_MAX} bytes`);
  }
  if (document.sha256 !== sha256) {
    throw Refusal.ofField('sha256', 'digest_mismatch', 'must be the digest of the whole document');
  }
  if (document.mediaType === undefined) {
    throw Refusal.ofField('bytes', 'unsupported_document_type', 'must be a PNG, JPEG or PDF');
  }
}
