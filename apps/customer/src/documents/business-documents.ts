import { BusinessFields, BusinessOwner } from '@stablecoin/contracts/customer/business-customer';
import { StoredBusinessOwner } from '@stablecoin/customer-store/customers/customer-profile';
import { PlacedDocument, placedDocuments } from './attach-documents';

/**
 * Takes the documents out of a business's request, its own and its owners': all are kept in one table, and each owner
 * keeps the ids of its own. Owners stay undefined (keep) or null (clear) as the request says.
 */
export function businessDocuments(request: Pick<BusinessFields, 'documents' | 'business_owners'>): {
  owners: StoredBusinessOwner[] | null | undefined;
  documents: PlacedDocument[];
} {
  const documents = placedDocuments('documents', request.documents);
  const owners = request.business_owners?.map((owner, index): StoredBusinessOwner => {
    const supporting = placedDocuments(supportingPath(index), owner.supporting_documents);
    documents.push(...supporting);
    return storedOwner(owner, supporting);
  });
  return { owners: owners ?? (request.business_owners === null ? null : undefined), documents };
}

const supportingPath = (index: number) => `business_owners.${index}.supporting_documents`;

function storedOwner(owner: BusinessOwner, supporting: PlacedDocument[]): StoredBusinessOwner {
  return { ...owner, supporting_documents: supporting.map(({ id }) => id) };
}
