import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IsSha256, IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { DOCUMENT_BYTES_MAX } from './document';
import { DOCUMENT_PARTS_MAX } from './upload-document-part';

/** What a merchant knows of a document that it sent by itself. */
export interface UploadedDocumentView {
  document_id: string;
  sha256: string;
  bytes: number;
  media_type: string;
  created_at: string;
}

/**
 * The end of a document that travelled by itself: its parts are there, and this is what they must be together. From now on
 * a customer can refer to it, for a day. A command that is repeated names the document of the first time; what was uploaded
 * for the repeat is deleted.
 */
export class CompleteDocument extends MerchantCommand {
  @IsUuid() upload_id: string;
  @IsWholeNumberBetween(1, DOCUMENT_PARTS_MAX) parts: number;
  @IsWholeNumberBetween(1, DOCUMENT_BYTES_MAX) bytes: number;
  @IsSha256() sha256: string;
}

export const completeDocument = operation({
  subject: 'customer.complete-document',
  request: CompleteDocument,
  reply: replies<CommandReply<UploadedDocumentView>>(),
  errors: ['idempotency_key_reused', 'idempotency_in_flight'],
});
