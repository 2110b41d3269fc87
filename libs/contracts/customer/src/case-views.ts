import { Timestamp } from '@stablecoin/contracts/wallet/views';
import { CustomerStatus, CustomerType, KycStatus } from './views';

/** A customer whose review is under way, or was, without anything personal. */
export interface CaseView {
  customer_id: string;
  merchant_id: string;
  customer_type: CustomerType;
  status: CustomerStatus;
  kyc_status: KycStatus;
  created_at: Timestamp;
  updated_at: Timestamp;
  erased_at: Timestamp | null;
}

/** A document of a customer's: what it is, not what is in it. */
export interface DocumentView {
  id: string;
  doc_type: string;
  sub_type: string | null;
  doc_country: string | null;
  /** Of a document that is a link, which was never fetched. */
  url: string | null;
  /** Null of a link. */
  bytes: number | null;
  created_at: Timestamp;
}

export interface KycChangeView {
  kyc_status: KycStatus;
  changed_at: Timestamp;
}

export interface CustomerFileView {
  /** Oldest first. */
  documents: DocumentView[];
  /** Oldest first, as far back as events are kept. */
  kyc_history: KycChangeView[];
  /** Whether this service has the login that reads documents. */
  documents_are_shown: boolean;
}
