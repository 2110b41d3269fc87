import { createHash } from 'node:crypto';
import type { Transaction } from '@stablecoin/customer-store/customer-database';
import { DocumentSummary, mediaTypeOf } from '@stablecoin/customer-store/documents/document-content';
import { openPart } from '@stablecoin/customer-store/documents/sealed-content';

/**
 * Reads what is stored of a document, one part at a time: opening all of it takes the event loop a tenth of a second on a busy
 * machine, and other merchants' requests have turns in between.
 */
export async function summaryOf(
  transaction: Transaction,
  contentKey: Buffer,
  uploadId: string,
): Promise<DocumentSummary & { parts: number }> {
  const hash = createHash('sha256');
  const summary = { parts: 0, bytes: 0, mediaType: undefined as string | undefined };
  for (;;) {
    const stored = await transaction.documentPart.findUnique({
      where: { upload_id_part: { upload_id: uploadId, part: summary.parts } },
    });
    if (!stored) return { ...summary, sha256: hash.digest('hex') };
    const content = openPart(contentKey, uploadId, stored.part, stored.sealed_bytes);
    if (summary.parts === 0) summary.mediaType = mediaTypeOf(content);
    hash.update(content);
    summary.parts += 1;
    summary.bytes += content.length;
  }
}
