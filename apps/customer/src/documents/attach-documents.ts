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
  return (references ?? []).map((reference, index) => ({
    id: reference.document_id ?? randomUUID(),
    path: `${path}.${index}`,
    reference,
  }));
}

/** An id that a merchant names must be its own document's, before anything else of the command is judged. */
export async function requireOwnDocuments(
  transaction: Transaction,
  merchantId: string,
  documents: PlacedDocument[],
  now: Date,
): Promise<void> {
  const ids = new Set(documents.flatMap(({ reference }) => reference.document_id ?? []));
  if (ids.size === 0) return;
  const [found] = await transaction.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM document_uploads
    WHERE id = ANY(${[...ids]}::uuid[]) AND merchant_id = ${merchantId}::uuid AND whole_at IS NOT NULL
      AND (attached_customer_id IS NOT NULL OR expires_at > ${now})`;
  if (found?.count !== ids.size) throw new Refusal('not_found');
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
    const { doc_type, sub_type = null, doc_country = null, document_id, upload_id, url } = document.reference;
    if ([document_id, upload_id, url].filter(Boolean).length !== 1) {
      throw Refusal.ofField(document.path, 'invalid_document', 'must be either an uploaded image or an https URL');
    }
    const uploadId = document_id ?? upload_id ?? null;
    const contentKey = uploadId ? await takeUpload(transaction, personalData, owner, document, uploadId) : null;
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
        upload_id: uploadId,
        sealed_content_key:
          contentKey && owner.seal.seal(contentKeyField(uploadId as string), contentKey.toString('base64')),
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
  uploadId: string,
): Promise<Buffer> {
  const [upload] = await transaction.$queryRaw<{ wrapped_key: string }[]>`
    SELECT wrapped_key FROM document_uploads
    WHERE id = ${uploadId}::uuid AND merchant_id = ${owner.merchantId}::uuid
      AND whole_at IS NOT NULL AND attached_customer_id IS NULL
    FOR UPDATE`;
  if (!upload && reference.document_id) throw new Refusal('document_used');
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
