import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DocumentReference } from '@stablecoin/contracts/customer/document';
import { DOCUMENT_PART_BYTES } from '@stablecoin/contracts/customer/upload-document-part';
import { Plain } from '@stablecoin/contracts/wire/operation';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { Command } from '../idempotency/command';
import { BusinessOwnerBody } from './customer-requests';
import { DocumentFields, DocumentUpload } from './document-fields';
import { DecodedDocument, DecodedDocuments } from '../documents/decoded-documents';
import { documentBytes } from '../documents/document-image';
import { DocumentParts } from '../documents/document-parts';

/**
 * Uploads documents, which are too large for a message on the bus, to the customer service in parts; the command then names
 * them. The name is derived from the command, the document's place and its content, so that a repeated request uploads the
 * same document under the same name.
 */
@Injectable()
export class DocumentUploads {
  constructor(
    private readonly parts: DocumentParts,
    private readonly decoded: DecodedDocuments,
  ) {}

  /** Gives the `documents` field of the command, if there is one. */
  async ofCustomer(command: Command, body: DocumentFields): Promise<{ documents?: DocumentReference[] }> {
    const documents = body.documents ?? body.user_documents;
    return documents ? { documents: await this.store(command, 'documents', documents) } : {};
  }

  /** Gives the `business_owners` field of the command, if there is one. */
  async ofOwners(command: Command, owners: BusinessOwnerBody[] | null | undefined) {
    if (!owners) return owners === null ? { business_owners: null } : {};
    const business_owners = [];
    for (const [index, { supporting_documents, ...owner }] of owners.entries()) {
      const place = `business_owners.${index}`;
      business_owners.push({
        ...owner,
        supporting_documents: await this.store(command, place, supporting_documents ?? []),
      });
    }
    return { business_owners };
  }

  private async store(
    command: Command,
    place: string,
    documents: DocumentUpload[],
  ): Promise<Plain<DocumentReference>[]> {
    const references: Plain<DocumentReference>[] = [];
    for (const [index, { doc_image, document_id, ...document }] of documents.entries()) {
      references.push({
        ...document,
        ...(doc_image ? await this.imageOf(command, `${place}.${index}`, doc_image) : { document_id }),
      });
    }
    return references;
  }

  private async imageOf(command: Command, place: string, image: string) {
    const document = this.decoded.find(image) ?? decodedHere(image);
    return document ? { upload_id: await this.upload(command, place, document) } : { url: image };
  }

  private async upload({ ids }: Command, place: string, { sha256, bytes }: DecodedDocument): Promise<string> {
    const upload_id = derivedUuid('document', ids.command_id, place, sha256);
    const parts = Math.ceil(bytes.length / DOCUMENT_PART_BYTES);
    const send = (part: number) => {
      const slice = bytes.subarray(part * DOCUMENT_PART_BYTES, (part + 1) * DOCUMENT_PART_BYTES);
      const request = { merchant_id: ids.merchant_id, upload_id, part, parts, sha256, bytes: slice.toString('base64') };
      return this.parts.send(request);
    };
    for (let part = 0; part < parts; part += 1) await send(part);
    return upload_id;
  }
}

/** A document of a small body, which was read like any other. */
function decodedHere(image: string): DecodedDocument | undefined {
  const bytes = documentBytes(image);
  return bytes && { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}
