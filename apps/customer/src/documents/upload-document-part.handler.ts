import {
  DOCUMENT_PART_BYTES,
  UploadDocumentPart,
  uploadDocumentPart,
} from '@stablecoin/contracts/customer/upload-document-part';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { requireDocument } from '@stablecoin/customer-store/documents/document-content';
import { sealPart } from '@stablecoin/customer-store/documents/sealed-content';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { forgetExpiredUploads, requireRoom } from './document-share';
import { summaryOf } from './stored-document';

interface UploadRow {
  merchant_id: string;
  parts: number | null;
  digest_index: string | null;
  wrapped_key: string | null;
  whole_at: Date | null;
}

/** How long an upload waits for its other parts, or for the customer that it was made for. */
const KEPT_MS = 3_600_000;

/**
 * Takes one part: lock the upload, which the first part to arrive creates, if the merchant's share has room → seal and store
 * the part → where the whole was announced, check it with the last part (size, digest, kind of file); of a refused whole the
 * last part is not stored, so that no customer can refer to it. Bounded by 16 parts of 384 KiB; creating an upload deletes
 * up to ten expired ones.
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
        const key = await this.personalData.unwrap(request.upload_id, upload.wrapped_key);
        await keepPart(transaction, request, sealPart(key, request.upload_id, request.part, bytes), bytes.length);
        if (request.sha256 !== undefined) await this.finish(transaction, request, request.sha256, key);
      }, TRANSACTION_LIMITS),
    );
    return { upload_id: request.upload_id };
  }

  private async openUpload(transaction: Transaction, request: UploadDocumentPart): Promise<UploadRow> {
    const { upload_id, merchant_id, parts = null, sha256 } = request;
    const digestIndex = sha256 === undefined ? null : this.personalData.digestIndex(sha256);
    const found = await findUpload(transaction, upload_id);
    if (!found) await this.createUpload(transaction, { upload_id, merchant_id, parts, digestIndex });
    const upload = found ?? (await findUpload(transaction, upload_id));
    const sameUpload =
      upload?.merchant_id === merchant_id &&
      upload.parts === parts &&
      // An upload that belongs to a customer does not change, and the key of fingerprints may have changed since.
      (upload.wrapped_key === null || upload.digest_index === digestIndex);
    if (!sameUpload) throw Refusal.ofField('upload_id', 'upload_mismatch', 'must name one document of one merchant');
    return upload;
  }

  private async createUpload(
    transaction: Transaction,
    upload: { upload_id: string; merchant_id: string; parts: number | null; digestIndex: string | null },
  ): Promise<void> {
    const { upload_id, merchant_id, parts, digestIndex } = upload;
    const now = this.clock.now();
    // Before the merchant's lock is taken: a key management service may take its time.
    const { wrappedKey } = await this.personalData.newOwner(upload_id);
    await requireRoom(transaction, { merchantId: merchant_id, parts, now });
    const created = await transaction.$executeRaw`
      INSERT INTO document_uploads (id, merchant_id, parts, digest_index, wrapped_key, created_at, expires_at)
      VALUES (${upload_id}::uuid, ${merchant_id}::uuid, ${parts}::smallint, ${digestIndex}, ${wrappedKey}, ${now},
              ${new Date(now.getTime() + KEPT_MS)})
      ON CONFLICT (id) DO NOTHING`;
    if (created > 0) await forgetExpiredUploads(transaction, now);
  }

  private async finish(transaction: Transaction, request: UploadDocumentPart, sha256: string, key: Buffer) {
    const where = { upload_id: request.upload_id };
    if ((await transaction.documentPart.count({ where })) < (request.parts ?? Infinity)) return;
    requireDocument(await summaryOf(transaction, key, request.upload_id), sha256);
    await transaction.documentUpload.update({
      where: { id: request.upload_id },
      data: { whole_at: this.clock.now() },
      select: { id: true },
    });
  }
}

async function findUpload(transaction: Transaction, uploadId: string): Promise<UploadRow | undefined> {
  const [upload] = await transaction.$queryRaw<UploadRow[]>`
    SELECT merchant_id, parts, digest_index, wrapped_key, whole_at
    FROM document_uploads WHERE id = ${uploadId}::uuid FOR UPDATE`;
  return upload;
}

/** A part that is sent again does not replace the first one. */
async function keepPart(
  transaction: Transaction,
  { upload_id, part }: UploadDocumentPart,
  sealed: Buffer,
  bytes: number,
): Promise<void> {
  const sealed_bytes = new Uint8Array(sealed);
  const data = [{ upload_id, part, sealed_bytes }];
  const { count } = await transaction.documentPart.createMany({ data, skipDuplicates: true });
  if (count === 0) return;
  await transaction.$executeRaw`UPDATE document_uploads SET bytes = bytes + ${bytes} WHERE id = ${upload_id}::uuid`;
}

function partBytes({ part, parts, sha256, bytes: base64 }: UploadDocumentPart): Buffer {
  if ((parts === undefined) !== (sha256 === undefined)) {
    throw Refusal.ofField('sha256', 'digest_mismatch', 'must be sent together with parts');
  }
  if (parts !== undefined && part >= parts) throw Refusal.ofField('part', 'invalid_number', 'must be below parts');
  const bytes = Buffer.from(base64, 'base64');
  // Node's decoder skips invalid characters: only a text that encodes back to itself is base64.
  if (bytes.toString('base64') !== base64) throw Refusal.ofField('bytes', 'invalid_base64', 'must be base64');
  if (bytes.length > DOCUMENT_PART_BYTES) {
    throw Refusal.ofField('bytes', 'document_too_large', `must not be larger than ${DOCUMENT_PART_BYTES} bytes`);
  }
  return bytes;
}
