import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsHttpUrl } from '@stablecoin/contracts/wire/fields/contact';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsText, OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { IsCountryCode } from './address';

export const DOCUMENT_BYTES_MAX = 5 * 1024 * 1024;
export const DOCUMENTS_MAX = 20;

/**
 * A document as it travels on the bus, by exactly one of three: `document_id`, which its merchant was given when it sent
 * the document by itself; `upload_id`, under which the gateway stored it for this very command; or a link that is only kept.
 */
export class DocumentReference {
  @IsText({ max: 50 }) doc_type: string;
  @OptionalText({ max: 50 }) sub_type?: string | null;
  @Optional() @IsCountryCode() doc_country?: string | null;
  @Optional() @IsUuid() document_id?: string | null;
  @Optional() @IsUuid() upload_id?: string | null;
  @Optional() @IsHttpUrl({ httpsOnly: true }) url?: string | null;
}
