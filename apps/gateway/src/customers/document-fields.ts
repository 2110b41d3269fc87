import { IsCountryCode } from '@stablecoin/contracts/customer/address';
import { DOCUMENTS_MAX } from '@stablecoin/contracts/customer/document';
import { all, field, Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsNestedList } from '@stablecoin/contracts/wire/fields/nested';
import { IsText, OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsExclusiveWith, RequiredWithout } from '../routes/exclusive-fields';
import { isDocumentImage, isTooLarge } from '../documents/document-image';

function IsDocumentImage(): PropertyDecorator {
  return all(
    field({
      name: 'isDocumentOfBoundedSize',
      code: 'document_too_large',
      message: 'must be at most 5 MiB',
      schema: {},
      check: (value) => typeof value !== 'string' || !isTooLarge(value),
    }),
    field({
      name: 'isDocumentImage',
      code: 'invalid_document',
      message: 'must be a PNG, JPEG or PDF as base64 data URI, or an https URL',
      schema: { type: 'string', description: 'A base64 data URI (PNG, JPEG or PDF, at most 5 MiB), or an https URL' },
      // A document that is too large is refused for its size alone.
      check: (value) => typeof value === 'string' && (isTooLarge(value) || isDocumentImage(value)),
    }),
  );
}

/**
 * A document as it arrives: its image, which is sent on the bus in parts before the command, or the id of one that was sent
 * by itself.
 */
export class DocumentUpload {
  @IsText({ max: 50 }) doc_type: string;
  @OptionalText({ max: 50 }) sub_type?: string | null;
  @RequiredWithout('document_id') @IsDocumentImage() doc_image?: string | null;
  @Optional() @IsExclusiveWith('doc_image') @IsUuid() document_id?: string | null;
  @Optional() @IsCountryCode() doc_country?: string | null;
}

/** Documents under either of their two names. */
export class DocumentFields {
  @Optional() @IsNestedList(() => DocumentUpload, DOCUMENTS_MAX) documents?: DocumentUpload[] | null;
  @Optional()
  @IsExclusiveWith('documents')
  @IsNestedList(() => DocumentUpload, DOCUMENTS_MAX)
  user_documents?: DocumentUpload[] | null;
}
