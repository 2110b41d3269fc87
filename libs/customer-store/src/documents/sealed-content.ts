import { openBytes, sealBytes } from '@stablecoin/personal-data/sealed-field';

/**
 * How a document's content is sealed: each part with the upload's content key, bound to the upload and to its place in
 * it; the content key itself with the customer's data key, once the document is the customer's.
 */
export function sealPart(contentKey: Buffer, uploadId: string, part: number, bytes: Buffer): Buffer {
  return sealBytes(contentKey, uploadId, partField(part), bytes);
}

export function openPart(contentKey: Buffer, uploadId: string, part: number, sealed: Uint8Array): Buffer {
  return openBytes(contentKey, uploadId, partField(part), Buffer.from(sealed));
}

/** @param parts all of them, in their order */
export function openParts(contentKey: Buffer, uploadId: string, parts: { sealed_bytes: Uint8Array }[]): Buffer {
  return Buffer.concat(parts.map(({ sealed_bytes }, part) => openPart(contentKey, uploadId, part, sealed_bytes)));
}

const partField = (part: number) => `part:${part}`;

/** Field names under the customer's data key. */
export const descriptionField = (documentId: string) => `document:${documentId}`;
export const contentKeyField = (uploadId: string) => `content-key:${uploadId}`;

/** What is known of a document beside its content. */
export interface DocumentDescription {
  doc_type: string;
  sub_type: string | null;
  doc_country: string | null;
  /** Of a document that is a link; there is no content then. */
  url: string | null;
}
