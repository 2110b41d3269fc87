import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IfPresent } from '@stablecoin/contracts/wire/fields/field';
import { IsSha256, IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MatchesPattern } from '@stablecoin/contracts/wire/fields/text';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

/** Bytes per part: with base64 and the bus's own encryption a part stays below the bus's 1 MB per message. */
export const DOCUMENT_PART_BYTES = 384 * 1024;

/** As many as 5 MiB can have, and two to spare. */
export const DOCUMENT_PARTS_MAX = 16;

/**
 * One part of a document of up to 5 MiB, which no single message can carry. Parts may arrive in any order and more
 * than once.
 *
 * Of a document that the gateway holds whole, each part names `parts` and `sha256`: the upload is whole when all of them
 * are there and have that digest. Of one that is still arriving no part does: `customer.complete-document` names them in the
 * end, and such documents are counted against the merchant's share. Either is forgotten after an hour unless it is complete,
 * and a customer refers to it or it travels by itself.
 */
export class UploadDocumentPart extends MerchantRequest {
  @IsUuid() upload_id: string;
  /** Counts from 0. */
  @IsWholeNumberBetween(0, DOCUMENT_PARTS_MAX - 1) part: number;
  @IfPresent() @IsWholeNumberBetween(1, DOCUMENT_PARTS_MAX) parts?: number;
  @IfPresent() @IsSha256() sha256?: string;
  @MatchesPattern({ pattern: /^[A-Za-z0-9+/]+={0,2}$/, code: 'invalid_base64', message: 'must be base64' })
  bytes: string;
}

export const uploadDocumentPart = operation({
  subject: 'customer.upload-document-part',
  request: UploadDocumentPart,
  reply: replies<{ upload_id: string }>(),
  // The merchant has stored as much as it may without a customer that refers to it.
  errors: ['rate_limited', 'storage_quota_reached'],
});
