import {
  DOCUMENT_PART_BYTES,
  UploadDocumentPart,
  uploadDocumentPart,
} from '@stablecoin/contracts/customer/upload-document-part';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { requireDocument } from '@stablecoin/customer-store/documents/document-content';
import { openParts, sealPart } from '@stablecoin/customer-store/documents/sealed-content';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';

interface UploadRow {
  merchant_id: string;
  parts: number;
  digest_index: string;
  wrapped_key: string | null;
  whole_at: Date | null;
}

const FORGOTTEN_AFTER_MS = 3_600_000;
/** Old uploads that each new one deletes, at most: little work for a request, and more than are added. */
const FORGOTTEN_AT_ONCE = 10;

/**
 * Takes one part: lock the upload, which the first part to arrive creates → seal and store the part → with the last
 * part, check the whole (size, digest, kind of file); of a refused whole the last part is not stored, so that no
 * customer can refer to it. Bounded by 16 parts of 384 KiB; creating an upload deletes up to ten old ones.
 */
@Handles(uploadDocumentPart)
export class UploadDocumentPartHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly clock: Clock,
  ) {}

  async execute(request: UploadDocumentPart): Promise<{ upload_id: string }> {
    const bytes = partBytes(request);
    await asRefusal(() =>
      this.database.$transaction(async (transaction) => {
        const upload = await this.openUpload(transaction, request);
        if (upload.whole_at || upload.wrapped_key === null) return;
        const key = this.personalData.unwrap(request.upload_id, upload.wrapped_key);
        await keepPart(transaction, request, sealPart(key, request.upload_id, request.part, bytes));
        await this.finish(transaction, request, key);
      }, TRANSACTION_LIMITS),
    );
    return { upload_id: request.upload_id };
  }

  private async openUpload(transaction: Transaction, request: UploadDocumentPart): Promise<UploadRow> {
    const digestIndex = this.personalData.digestIndex(request.sha256);
    const { wrappedKey } = this.personalData.newOwner(request.upload_id);
    const opened = await transaction.$executeRaw`
      INSERT INTO document_uploads (id, merchant_id, parts, digest_index, wrapped_key, created_at)
      VALUES (${request.upload_id}::uuid, ${request.merchant_id}::uuid, ${request.parts}, ${digestIndex}, ${wrappedKey},
              ${this.clock.now()})
      ON CONFLICT (id) DO NOTHING`;
    if (opened > 0) await this.forgetOldUploads(transaction);
    const [upload] = await transaction.$queryRaw<UploadRow[]>`
      SELECT merchant_id, parts, digest_index, wrapped_key, whole_at
      FROM document_uploads WHERE id = ${request.upload_id}::uuid FOR UPDATE`;
    const sameUpload =
      upload?.merchant_id === request.merchant_id &&
      upload.parts === request.parts &&
      // An upload that belongs to a customer does not change, and the key of fingerprints may have changed since.
      (upload.wrapped_key === null || upload.digest_index === digestIndex);
    if (!sameUpload) throw Refusal.ofField('upload_id', 'upload_mismatch', 'must name one document of one merchant');
    return upload;
  }

  private async forgetOldUploads(transaction: Transaction): Promise<void> {
    const openedBefore = new Date(this.clock.now().getTime() - FORGOTTEN_AFTER_MS);
    await transaction.$executeRaw`
      DELETE FROM document_uploads WHERE id IN (
        SELECT id FROM document_uploads
        WHERE attached_customer_id IS NULL AND created_at < ${openedBefore}
        ORDER BY created_at LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED)`;
  }

  private async finish(transaction: Transaction, request: UploadDocumentPart, key: Buffer): Promise<void> {
    const where = { upload_id: request.upload_id };
    if ((await transaction.documentPart.count({ where })) < request.parts) return;
    const parts = await transaction.documentPart.findMany({ where, orderBy: { part: 'asc' } });
    requireDocument(openParts(key, request.upload_id, parts), request.sha256);
    await transaction.documentUpload.update({
      where: { id: request.upload_id },
      data: { whole_at: this.clock.now() },
      select: { id: true },
    });
  }
}

/** A part that is sent again does not replace the first one. */
async function keepPart(
  transaction: Transaction,
  { upload_id, part }: UploadDocumentPart,
  sealed: Buffer,
): Promise<void> {
  const sealed_bytes = new Uint8Array(sealed);
  await transaction.documentPart.createMany({ data: [{ upload_id, part, sealed_bytes }], skipDuplicates: true });
}

function partBytes({ part, parts, bytes: base64 }: UploadDocumentPart): Buffer {
  if (part >= parts) throw Refusal.ofField('part', 'invalid_number', 'must be below parts');
  const bytes = Buffer.from(base64, 'base64');
  // Node's decoder skips invalid characters: only a text that encodes back to itself is base64.
  if (bytes.toString('base64') !== base64) throw Refusal.ofField('bytes', 'invalid_base64', 'must be base64');
  if (bytes.length > DOCUMENT_PART_BYTES) {
    throw Refusal.ofField('bytes', 'document_too_large', `must not be larger than ${DOCUMENT_PART_BYTES} bytes`);
  }
  return bytes;
}
