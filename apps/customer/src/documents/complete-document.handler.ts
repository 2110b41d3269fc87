import {
  CompleteDocument,
  completeDocument,
  UploadedDocumentView,
} from '@stablecoin/contracts/customer/complete-document';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { requireDocument } from '@stablecoin/customer-store/documents/document-content';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal, takeEffectOnce } from '@stablecoin/persistence/command-log';
import { summaryOf } from './stored-document';

/** How long a document that travelled by itself waits for a customer. */
const KEPT_MS = 24 * 3_600_000;

/**
 * The view without the digest: it is kept for ever, and a digest would confirm to a reader which document it was also after
 * the customer is erased. A repeated command brings it along, and its input hash says that it is the same.
 */
type StoredResult = Omit<UploadedDocumentView, 'sha256'>;

/**
 * Makes a document of the parts that have arrived: lock the upload → open its parts, one after the other, and judge the whole
 * (size, digest, kind of file) → it can be referred to from now on. Bounded by 16 parts of 384 KiB.
 */
@Handles(completeDocument)
export class CompleteDocumentHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly clock: Clock,
  ) {}

  async execute(request: CompleteDocument): Promise<CommandReply<UploadedDocumentView>> {
    const { result, replayed } = await takeEffectOnce(this.database, request, (transaction: Transaction) =>
      this.complete(transaction, request),
    );
    if (result.document_id !== request.upload_id) await asRefusal(() => this.discard(request));
    return { result: { ...result, sha256: request.sha256 }, replayed };
  }

  private async complete(transaction: Transaction, request: CompleteDocument): Promise<StoredResult> {
    const { upload_id, merchant_id, sha256 } = request;
    const key = await this.lockUpload(transaction, request);
    const document = await summaryOf(transaction, key, upload_id);
    if (document.parts !== request.parts || document.bytes !== request.bytes) throw incomplete();
    requireDocument(document, sha256);
    const now = this.clock.now();
    await transaction.documentUpload.update({
      where: { id: upload_id, merchant_id },
      data: {
        parts: request.parts,
        digest_index: this.personalData.digestIndex(sha256),
        whole_at: now,
        expires_at: new Date(now.getTime() + KEPT_MS),
      },
      select: { id: true },
    });
    const media_type = document.mediaType as string;
    return { document_id: upload_id, bytes: document.bytes, media_type, created_at: now.toISOString() };
  }

  /** The content key of an upload of this merchant that is not whole yet. */
  private async lockUpload(transaction: Transaction, request: CompleteDocument): Promise<Buffer> {
    const [upload] = await transaction.$queryRaw<{ wrapped_key: string }[]>`
      SELECT wrapped_key FROM document_uploads
      WHERE id = ${request.upload_id}::uuid AND merchant_id = ${request.merchant_id}::uuid
        AND parts IS NULL AND whole_at IS NULL AND attached_customer_id IS NULL
      FOR UPDATE`;
    if (!upload) throw incomplete();
    return this.personalData.unwrap(request.upload_id, upload.wrapped_key);
  }

  private async discard({ upload_id, merchant_id }: CompleteDocument): Promise<void> {
    await this.database.$executeRaw`
      DELETE FROM document_uploads
      WHERE id = ${upload_id}::uuid AND merchant_id = ${merchant_id}::uuid AND whole_at IS NULL`;
  }
}

const incomplete = () => Refusal.ofField('upload_id', 'unknown_upload', 'must be an upload whose parts are all there');
