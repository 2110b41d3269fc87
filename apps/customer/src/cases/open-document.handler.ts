import { OpenDocument, openDocument } from '@stablecoin/contracts/customer/open-document';
import { Handles } from '@stablecoin/messaging/handles';
import { actedByPerson } from './acted-by-person';
import { ShownDocuments } from './shown-documents';

@Handles(openDocument)
export class OpenDocumentHandler {
  constructor(private readonly documents: ShownDocuments) {}

  async execute({ merchant_id, customer_id, document_id, reason, ...person }: OpenDocument) {
    const reader = { officer: actedByPerson(person).actor, reason };
    const opened = await this.documents.of(merchant_id, customer_id, (archive) =>
      archive.open(customer_id, document_id, reader),
    );
    return { result: { document_id, ...opened } };
  }
}
