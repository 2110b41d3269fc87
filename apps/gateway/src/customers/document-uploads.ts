import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DocumentReference } from '@stablecoin/contracts/customer/document';
import { DOCUMENT_PART_BYTES, uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { Command } from '../idempotency/command';
import { BusinessOwnerBody } from './customer-requests';
import { DocumentFields, DocumentUpload } from './document-fields';
import { documentBytes } from './document-image';

const PARTS_AT_ONCE = 4;

/**
 * Uploads documents, which are too large for a message on the bus, to the customer service in parts, at most
 * `PARTS_AT_ONCE` at a time; the command then names them. The name is derived from the command, the document's place
 * and its content, so that a repeated request uploads the same document under the same name.
 */
@Injectable()
export class DocumentUploads {
  constructor(private readonly bus: BusClient) {}

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
    for (const [index, { doc_image, ...document }] of documents.entries()) {
      const bytes = documentBytes(doc_image);
      const image = bytes ? { upload_id: await this.upload(command, `${place}.${index}`, bytes) } : { url: doc_image };
      references.push({ ...document, ...image });
    }
    return references;
  }

  private async upload({ ids }: Command, place: string, bytes: Buffer): Promise<string> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const upload_id = derivedUuid('document', ids.command_id, place, sha256);
    const parts = Math.ceil(bytes.length / DOCUMENT_PART_BYTES);
    const send = (part: number) => {
      const slice = bytes.subarray(part * DOCUMENT_PART_BYTES, (part + 1) * DOCUMENT_PART_BYTES);
      const request = { merchant_id: ids.merchant_id, upload_id, part, parts, sha256, bytes: slice.toString('base64') };
      return this.bus.call(uploadDocumentPart, request);
    };
    for (let first = 0; first < parts; first += PARTS_AT_ONCE) {
      const count = Math.min(PARTS_AT_ONCE, parts - first);
      await Promise.all(Array.from({ length: count }, (_, offset) => send(first + offset)));
    }
    return upload_id;
  }
}
