import { CustomerFileView } from '@stablecoin/contracts/customer/case-views';

/** For who may not see it, or has not put the look on the record: where a document is from, and a link, tell of the person. */
export const withoutOrigin = (file: CustomerFileView): CustomerFileView => ({
  ...file,
  documents: file.documents.map((document) => ({ ...document, doc_country: null, url: null })),
});
