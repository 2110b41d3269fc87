import { UploadedDocumentView } from '@stablecoin/contracts/customer/complete-document';
import {
  count,
  matching,
  oneOf,
  resource,
  ResponseOf,
  timestamp,
  uuid,
} from '@stablecoin/http-answers/response-schema';

export const DOCUMENT = resource('Document', {
  document_id: uuid,
  sha256: matching(/^[0-9a-f]{64}$/, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
  bytes: count,
  media_type: oneOf(['image/png', 'image/jpeg', 'application/pdf']),
  created_at: timestamp,
});

export function presentDocument(view: UploadedDocumentView): ResponseOf<typeof DOCUMENT> {
  return view;
}
