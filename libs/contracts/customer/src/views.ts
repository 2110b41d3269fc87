export const CUSTOMER_TYPES = ['individual', 'business'] as const;
export const CUSTOMER_STATUSES = ['active', 'closed'] as const;
export const KYC_STATUSES = ['not_started', 'under_review', 'approved', 'rejected'] as const;

export type CustomerType = (typeof CUSTOMER_TYPES)[number];
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];
export type KycStatus = (typeof KYC_STATUSES)[number];

/** A customer as the service knows it: codes, not readable texts; two-letter country codes. */
export interface CustomerView {
  id: string;
  customer_type: CustomerType;
  email: string;
  phone: string;
  status: CustomerStatus;
  kyc_status: KycStatus;
  created_at: string;
  updated_at: string;
  address: AddressView | null;
  /** Individuals only. `birth_date` is YYYY-MM-DD. */
  personal_info: { first_name: string; middle_name: string | null; last_name: string; birth_date: string } | null;
  financial_info: {
    account_purpose: string | null;
    employment_status: string | null;
    /** Two decimals. */
    expected_monthly_income: string | null;
    most_recent_occupation: string | null;
    source_of_funds: string | null;
  };
  /** Businesses only. */
  business_info: { business_name: string; business_type: string | null; business_website: string | null } | null;
}

export interface AddressView {
  street1: string;
  street2: string | null;
  city: string;
  state: string;
  postal_code: string | null;
  country: string;
}
