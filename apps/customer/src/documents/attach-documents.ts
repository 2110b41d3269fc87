import { randomUUID } from 'node:crypto';
import { DocumentReference } from '@stablecoin/contracts/customer/document';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Transaction } from '@stablecoin/customer-store/customer-database';
import {
  contentKeyField,
  descriptionField,
  DocumentDescription,
} from '@stablecoin/customer-store/documents/sealed-content';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';

/** A document that a request refers to, with its path in the request, for errors. */
export interface PlacedDocument {
  id: string;
  path: string;
  reference: DocumentReference;
}

export interface DocumentOwner {
  merchantId: string;
  customerId: string;
  seal: OwnerSeal;
}

/** @param path the list's place in the request: `documents`, `business_owners.0.supporting_documents` */
export function placedDocuments(path: string, references: DocumentReference[] | null | undefined): PlacedDocument[] {
  return (references ?? []).map((reference, index) => ({ id: randomUUID(), path: `${path}.${index}`, reference }));
}

/**
 * Adds documents to a customer. The content key of an uploaded one, until now wrapped by the master key, is sealed by
 * the customer's data key, so that the content itself need not be sealed again and is erased with the customer. Bounded
 * by the lists of a request.
 */
export async function attachDocuments(
  transaction: Transaction,
  personalData: PersonalData,
  owner: DocumentOwner,
  documents: PlacedDocument[],
  now: Date,
): Promise<void> {
  for (const document of documents) {
    const { doc_type, sub_type = null, doc_country = null, upload_id, url } = document.reference;
    if (Boolean(upload_id) === Boolean(url)) {
      throw Refusal.ofField(document.path, 'invalid_document', 'must be either an uploaded image or an https URL');
    }
    const contentKey = upload_id ? await takeUpload(transaction, personalData, owner, document) : null;
    await transaction.document.create({
      data: {
        id: document.id,
        customer_id: owner.customerId,
        sealed_description: owner.seal.seal(descriptionField(document.id), {
          doc_type,
          sub_type,
          doc_country,
          url: url ?? null,
        } satisfies DocumentDescription),
        upload_id: upload_id ?? null,
        sealed_content_key:
          contentKey && owner.seal.seal(contentKeyField(upload_id as string), contentKey.toString('base64')),
        created_at: now,
      },
    });
  }
}

/** Claims an upload that is complete, the merchant's own and not yet a customer's document; returns its content key. */
async function takeUpload(
  transaction: Transaction,
  personalData: PersonalData,
  owner: DocumentOwner,
  { path, reference }: PlacedDocument,
): Promise<Buffer> {
  const uploadId = reference.upload_id as string;
  const [upload] = await transaction.$queryRaw<{ wrapped_key: string }[]>`
    SELECT wrapped_key FROM document_uploads
    WHERE id = ${uploadId}::uuid AND merchant_id = ${owner.merchantId}::uuid
      AND whole_at IS NOT NULL AND attached_customer_id IS NULL
    FOR UPDATE`;
  if (!upload) {
    throw Refusal.ofField(
      `${path}.upload_id`,
      'unknown_upload',
      'must be a whole upload that no customer refers to yet',
    );
  }
  await transaction.documentUpload.update({
    where: { id: uploadId },
    data: { wrapped_key: null, attached_customer_id: owner.customerId },
    select: { id: true },
  });
  return personalData.unwrap(uploadId, upload.wrapped_key);
}
