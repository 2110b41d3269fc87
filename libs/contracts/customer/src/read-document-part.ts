import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { DOCUMENT_PARTS_MAX } from './upload-document-part';

/** A part of a document that the person has opened within the minutes before. */
export class ReadDocumentPart extends MerchantRequest {
  @IsUuid() person_id: string;
  @IsUuid() member_id: string;
  @IsUuid() customer_id: string;
  @IsUuid() document_id: string;
  @IsWholeNumberBetween(0, DOCUMENT_PARTS_MAX - 1) part: number;
}

export const readDocumentPart = operation({
  subject: 'customer.read-document-part',
  readOnly: true,
  request: ReadDocumentPart,
  /** `bytes` in base64; the type by the first ones. */
  reply: replies<{ parts: number; bytes: string; media_type: string | null }>(),
  errors: ['not_found'],
});
