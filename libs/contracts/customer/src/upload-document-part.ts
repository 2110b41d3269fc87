import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IsSha256, IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MatchesPattern } from '@stablecoin/contracts/wire/fields/text';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

/** Bytes per part: with base64 and the bus's own encryption a part stays below the bus's 1 MB per message. */
export const DOCUMENT_PART_BYTES = 384 * 1024;

/**
 * One part of a document of up to 5 MiB, which no single message can carry. Parts may arrive in any order and more
 * than once; the upload is whole when all of them are there and their digest is `sha256`. Uploads that no customer
 * refers to are forgotten after an hour.
 */
export class UploadDocumentPart extends MerchantRequest {
  @IsUuid() upload_id: string;
  /** Counts from 0. */
  @IsWholeNumberBetween(0, 15) part: number;
  @IsWholeNumberBetween(1, 16) parts: number;
  @IsSha256() sha256: string;
  @MatchesPattern({ pattern: /^[A-Za-z0-9+/]+={0,2}$/, code: 'invalid_base64', message: 'must be base64' })
  bytes: string;
}

export const uploadDocumentPart = operation({
  subject: 'customer.upload-document-part',
  request: UploadDocumentPart,
  reply: replies<{ upload_id: string }>(),
  errors: [],
});
