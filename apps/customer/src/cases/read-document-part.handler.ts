import { ReadDocumentPart, readDocumentPart } from '@stablecoin/contracts/customer/read-document-part';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { mediaTypeOf } from '@stablecoin/customer-store/documents/document-content';
import { Handles } from '@stablecoin/messaging/handles';
import { actedByPerson } from './acted-by-person';
import { ShownDocuments } from './shown-documents';

@Handles(readDocumentPart)
export class ReadDocumentPartHandler {
  constructor(private readonly documents: ShownDocuments) {}

  async execute({ merchant_id, customer_id, document_id, part, ...person }: ReadDocumentPart) {
    const { actor } = actedByPerson(person);
    const read = await this.documents.of(merchant_id, customer_id, (archive) =>
      archive.part(customer_id, document_id, part, actor),
    );
    if (!read) throw new Refusal('not_found');
    const media_type = (part === 0 && mediaTypeOf(read.bytes)) || null;
    return { parts: read.parts, bytes: read.bytes.toString('base64'), media_type };
  }
}
