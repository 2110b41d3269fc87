// Written by npm run docs, from docs/openapi.json.

// A service that is newer than this package may answer with further fields, and with further values of a choice: keep a default
// where you branch on one.

export type AccountPurpose =
  | 'CHARITABLE_DONATIONS'
  | 'ECOMMERCE_RETAIL_PAYMENTS'
  | 'INVESTMENT_PURPOSES'
  | 'PAYMENTS_TO_FRIENDS_OR_FAMILY_ABROAD'
  | 'OTHER'
  | 'PAYROLL'
  | 'PERSONAL_OR_LIVING_EXPENSES'
  | 'PROTECT_WEALTH'
  | 'PURCHASE_GOODS_AND_SERVICES'
  | 'RECEIVE_PAYMENT_FOR_FREELANCING'
  | 'RECEIVE_SALARY'
  | 'TAX_OPTIMIZATION'
  | 'THIRD_PARTY_MONEY_TRANSMISSION'
  | 'TREASURY_MANAGEMENT';

export interface Approval {
  /**
   * The key that approved it, by its id.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  api_key_id: string;
  /**
   * When it was approved.
   * @example "2026-01-31T09:30:00.000Z"
   */
  approved_at: string;
}

export interface ApprovalAbove {
  /** The currency. */
  currency: Currency;
  /**
   * The amount: 8 decimals.
   * @example "1000.00000000"
   */
  amount: string;
}

export interface Asset {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** Whether it is national currency or a stablecoin. */
  asset_type: AssetType;
  /** The currency code. */
  code: Currency;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /** Networks on which the stablecoin can be deposited; null for fiat. */
  networks: AssetNetwork[] | null;
}

export interface AssetListParams {
  /** Whether it is national currency or a stablecoin. */
  asset_type?: AssetType;
}

export interface AssetNetwork {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** Name of the network, capitalised. */
  network: 'Erc20' | 'Bep20' | 'Solana' | 'Trc20' | 'Polygon';
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
}

export type AssetType = 'FIAT' | 'STABLECOIN';

export interface BankPayoutMethod {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What kind of method it is. */
  type: 'BANK';
  /** The currency. */
  currency: Currency;
  /**
   * Name on the account.
   * @example "Ada Obi"
   */
  account_name: string | null;
  /**
   * Number of the bank account.
   * @example "0123456789"
   */
  account_number: string;
  /**
   * Name of the bank.
   * @example "First Bank"
   */
  bank_name: string | null;
  /**
   * Code of the bank.
   * @example "058"
   */
  bank_code: string | null;
  /**
   * Sort code.
   * @example "12-34-56"
   */
  sort_code: string | null;
  /**
   * SWIFT code (BIC).
   * @example "FBNINGLA"
   */
  swift_code: string | null;
  /**
   * Routing number.
   * @example "021000021"
   */
  routing_number: string | null;
  /**
   * IBAN.
   * @example "GB29NWBK60161331926819"
   */
  iban: string | null;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id: string | null;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
}

export interface BankPayoutMethodParams {
  /** What kind of method it is. */
  type?: 'BANK';
  /**
   * Number of the bank account.
   * @example "0123456789"
   */
  account_number: string;
  /**
   * Name on the account.
   * @example "Ada Obi"
   */
  account_name?: string | null;
  /**
   * Name of the bank.
   * @example "First Bank"
   */
  bank_name?: string | null;
  /**
   * Code of the bank.
   * @example "058"
   */
  bank_code: string;
  /**
   * Sort code.
   * @example "12-34-56"
   */
  sort_code?: string | null;
  /**
   * SWIFT code (BIC).
   * @example "FBNINGLA"
   */
  swift_code?: string | null;
  /**
   * Routing number.
   * @example "021000021"
   */
  routing_number?: string | null;
  /**
   * IBAN.
   * @example "GB29NWBK60161331926819"
   */
  iban?: string | null;
  /**
   * The currency. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
   * @example "USDT"
   */
  currency: Currency;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id?: string | null;
}

export interface BankPayoutParams {
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id?: string | null;
  /**
   * The currency. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
   * @example "USDT"
   */
  currency: Currency;
  /**
   * Number of the bank account.
   * @example "0123456789"
   */
  account_number: string;
  /**
   * Name of the bank.
   * @example "First Bank"
   */
  bank_name?: string | null;
  /**
   * Code of the bank.
   * @example "058"
   */
  bank_code: string;
  /**
   * An amount as decimal text, positive, at most 8 decimals.
   * @example "10.50"
   */
  amount: string;
  /**
   * Who is paid.
   * @example "Ada Obi"
   */
  recipient_name: string;
  /**
   * Currency of the account that is paid; left out, that of the payout if fiat, else USD. One of USD, NGN, GBP, EUR, CAD, in any case.
   * @example "NGN"
   */
  recipient_currency?: FiatCurrency | null;
  /**
   * Country of the account that is paid.
   * @example "Nigeria"
   */
  recipient_country?: string | null;
  /**
   * True: nothing is written and no Idempotency-Key is used; the answer is the one that the request would get now.
   * @example true
   */
  dry_run?: false | null;
}

export interface BusinessCustomer {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * E-mail address, unique among your customers; compared in lower case.
   * @example "ada@example.com"
   */
  email: string;
  /**
   * Phone number with + and calling code, unique among your customers.
   * @example "+2348012345678"
   */
  phone: string;
  /** In which state it is. */
  status: CustomerStatus;
  /** How far the compliance review has come; payouts need approved. */
  kyc_status: KycStatus;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /** Whether the customer is a person or a business. */
  customer_type: 'business';
  /** What the business is. */
  business_info: BusinessDetails;
  /** The registered address, with the name of the country. */
  address: CustomerAddress | null;
  /** Income and purpose, in readable text. */
  financial_info: FinancialDetails;
  /** Who the person is; all null for a business. */
  personal_info: {
    /** Given name. */
    first_name: null;
    /** Middle name. */
    middle_name: null;
    /** Family name. */
    last_name: null;
    /** Date of birth; at least 18 years ago. */
    birth_date: null;
  };
}

export interface BusinessCustomerParams {
  /**
   * Registered name.
   * @example "Marina Traders Ltd"
   */
  business_name: string;
  /**
   * E-mail address, unique among your customers; compared in lower case.
   * @example "ada@example.com"
   */
  email: string;
  /**
   * Phone number with + and calling code, unique among your customers.
   * @example "+2348012345678"
   */
  phone: string;
  /** Whether the customer is a person or a business. */
  customer_type?: 'business';
  /**
   * Legal form.
   * @example "LIMITED_LIABILITY_COMPANY"
   */
  business_type?: string | null;
  /**
   * Web site.
   * @example "https://marina.example.com"
   */
  business_website?: string | null;
  /**
   * Calling code of the phone number.
   * @example "+234"
   */
  phone_country_code?: string | null;
  /**
   * What the account is for.
   * @example "OPERATING_A_COMPANY"
   */
  account_purpose?: string | null;
  /**
   * The same in your own words; line feeds and tabs allowed.
   * @example "Paying suppliers abroad"
   */
  account_purpose_explanation?: string | null;
  /**
   * Where the money comes from.
   * @example "SALES_OF_GOODS_AND_SERVICES"
   */
  source_of_funds?: string | null;
  /**
   * Expected income in a month, in local currency: zero or more, at most 2 decimals.
   * @example "2500.50"
   */
  expected_monthly_income?: string | null;
  /**
   * Expected payments in a month, in US dollars.
   * @example "1000.00"
   */
  expected_monthly_payments_usd?: string | null;
  /**
   * Revenue in a year, in US dollars, as a range.
   * @example "HUNDRED_THOUSAND_TO_MILLION"
   */
  estimated_annual_revenue_usd?: string | null;
  /**
   * Six-digit industry code.
   * @example "541511"
   */
  industry?: string | null;
  /** The registered address. */
  registered_address?: RegisteredAddress | null;
  /**
   * Name under which the business trades.
   * @example "Marina"
   */
  trading_name?: string | null;
  /**
   * What the business does; line feeds and tabs allowed.
   * @example "Wholesale of electronics"
   */
  nature_of_business?: string | null;
  /**
   * E-mail address of whom to ask.
   * @example "office@example.com"
   */
  contact_person_email?: string | null;
  /**
   * Phone number of whom to ask.
   * @example "+2348012345679"
   */
  contact_person_phone?: string | null;
  /**
   * Whether it does business in prohibited countries.
   * @example false
   */
  operates_in_prohibited_countries?: boolean | null;
  /**
   * Whether it is a decentralised autonomous organisation.
   * @example false
   */
  is_dao?: boolean | null;
  /**
   * Whether it moves money for others.
   * @example false
   */
  conducts_money_services?: boolean | null;
  /**
   * Number in the companies register.
   * @example "RC123456"
   */
  registration_number?: string | null;
  /**
   * Day of registration.
   * @example "2015-03-01"
   */
  registration_date?: string | null;
  /**
   * Tax number; kept encrypted, never printed.
   * @example "123-45-6789"
   */
  tax_identification_number?: string | null;
  /** KYC documents to attach. */
  documents?: DocumentUpload[] | null;
  /** Another name of documents; not together with it. */
  user_documents?: DocumentUpload[] | null;
  /** The persons who own or run the business. */
  business_owners?: BusinessOwnerParams[] | null;
}

export interface BusinessCustomerUpdateParams {
  /** The address as look-ups print it, in place of registered_address. */
  address?: PrintedAddress | RegisteredAddress | null;
  /** As look-ups print it for a business: nothing but nulls. */
  personal_info?: NoPerson | null;
  /** As look-ups print it; its fields may be sent at top level instead. */
  financial_info?: PrintedBusinessFinances | null;
  /** As look-ups print it; its fields may be sent at top level instead. */
  business_info?: BusinessInfo | null;
  /**
   * E-mail address, unique among your customers; compared in lower case.
   * @example "ada@example.com"
   */
  email?: string;
  /**
   * Phone number with + and calling code, unique among your customers.
   * @example "+2348012345678"
   */
  phone?: string;
  /** Whether the customer is a person or a business. */
  customer_type?: 'business';
  /**
   * Calling code of the phone number.
   * @example "+234"
   */
  phone_country_code?: string | null;
  /**
   * The same in your own words; line feeds and tabs allowed.
   * @example "Paying suppliers abroad"
   */
  account_purpose_explanation?: string | null;
  /**
   * Expected payments in a month, in US dollars.
   * @example "1000.00"
   */
  expected_monthly_payments_usd?: string | null;
  /**
   * Revenue in a year, in US dollars, as a range.
   * @example "HUNDRED_THOUSAND_TO_MILLION"
   */
  estimated_annual_revenue_usd?: string | null;
  /**
   * Six-digit industry code.
   * @example "541511"
   */
  industry?: string | null;
  /** The registered address. */
  registered_address?: RegisteredAddress | null;
  /**
   * Name under which the business trades.
   * @example "Marina"
   */
  trading_name?: string | null;
  /**
   * What the business does; line feeds and tabs allowed.
   * @example "Wholesale of electronics"
   */
  nature_of_business?: string | null;
  /**
   * E-mail address of whom to ask.
   * @example "office@example.com"
   */
  contact_person_email?: string | null;
  /**
   * Phone number of whom to ask.
   * @example "+2348012345679"
   */
  contact_person_phone?: string | null;
  /**
   * Whether it does business in prohibited countries.
   * @example false
   */
  operates_in_prohibited_countries?: boolean | null;
  /**
   * Whether it is a decentralised autonomous organisation.
   * @example false
   */
  is_dao?: boolean | null;
  /**
   * Whether it moves money for others.
   * @example false
   */
  conducts_money_services?: boolean | null;
  /**
   * Number in the companies register.
   * @example "RC123456"
   */
  registration_number?: string | null;
  /**
   * Day of registration.
   * @example "2015-03-01"
   */
  registration_date?: string | null;
  /**
   * Tax number; kept encrypted, never printed.
   * @example "123-45-6789"
   */
  tax_identification_number?: string | null;
  /**
   * What the account is for.
   * @example "Personal or living expenses"
   */
  account_purpose?: string | null;
  /**
   * Expected income in a month, in local currency: zero or more, at most 2 decimals.
   * @example "2500.50"
   */
  expected_monthly_income?: string | null;
  /**
   * Where the money comes from.
   * @example "Salary"
   */
  source_of_funds?: string | null;
  /**
   * Registered name.
   * @example "Marina Traders Ltd"
   */
  business_name?: string;
  /**
   * Legal form.
   * @example "LIMITED_LIABILITY_COMPANY"
   */
  business_type?: string | null;
  /**
   * Web site.
   * @example "https://marina.example.com"
   */
  business_website?: string | null;
  /** KYC documents to attach. */
  documents?: DocumentUpload[] | null;
  /** Another name of documents; not together with it. */
  user_documents?: DocumentUpload[] | null;
  /** The persons who own or run the business. */
  business_owners?: BusinessOwnerParams[] | null;
  /** Printed by look-ups; taken back and left alone. Taken and left alone */
  id?: unknown;
  /** In which state it is. Taken and left alone */
  status?: unknown;
  /** How far the compliance review has come; payouts need approved. Taken and left alone */
  kyc_status?: unknown;
  /** When it was created. Taken and left alone */
  created_at?: unknown;
  /** When it was last changed. Taken and left alone */
  updated_at?: unknown;
}

export interface BusinessDetails {
  /**
   * Registered name.
   * @example "Marina Traders Ltd"
   */
  business_name: string;
  /**
   * Legal form.
   * @example "LIMITED_LIABILITY_COMPANY"
   */
  business_type: string | null;
  /**
   * Web site.
   * @example "https://marina.example.com"
   */
  business_website: string | null;
}

export interface BusinessInfo {
  /**
   * Registered name.
   * @example "Marina Traders Ltd"
   */
  business_name?: string;
  /**
   * Legal form.
   * @example "LIMITED_LIABILITY_COMPANY"
   */
  business_type?: string | null;
  /**
   * Web site.
   * @example "https://marina.example.com"
   */
  business_website?: string | null;
}

export interface BusinessOwnerParams {
  /** Documents about the owner. */
  supporting_documents?: DocumentUpload[] | null;
  /**
   * Given name.
   * @example "Ada"
   */
  first_name: string;
  /**
   * Family name.
   * @example "Obi"
   */
  last_name: string;
  /**
   * E-mail address, unique among your customers; compared in lower case.
   * @example "ada@example.com"
   */
  email?: string | null;
  /**
   * Phone number with + and calling code.
   * @example "+2348012345680"
   */
  phone_number?: string | null;
  /**
   * Date of birth.
   * @example "1980-11-02"
   */
  date_of_birth?: string | null;
  /**
   * Since when the owner is one.
   * @example "2015-03-01"
   */
  relationship_establishment_date?: string | null;
  /**
   * Share in percent.
   * @example 51
   */
  ownership_percentage?: number | null;
  /**
   * Whether the person controls the business.
   * @example true
   */
  is_control_person?: boolean | null;
  /**
   * Whether the person signs for the business.
   * @example true
   */
  is_signer?: boolean | null;
  /**
   * Whether the person is a beneficial owner.
   * @example true
   */
  is_beneficial_owner?: boolean | null;
  /**
   * Position in the business.
   * @example "Director"
   */
  title?: string | null;
  /** Where the owner lives. */
  address?: RegisteredAddress | null;
  /**
   * Number of an identity document; kept encrypted, never printed.
   * @example "A01234567"
   */
  id_number?: string | null;
  /**
   * Nationality, two-letter country code.
   * @example "NG"
   */
  nationality?: string | null;
  /**
   * Link to the front of an identity document; kept, never fetched.
   * @example "https://files.example.com/front.png"
   */
  front_image?: string | null;
  /**
   * Link to its back.
   * @example "https://files.example.com/back.png"
   */
  back_image?: string | null;
}

export interface ChangedBusinessCustomer {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * E-mail address, unique among your customers; compared in lower case.
   * @example "ada@example.com"
   */
  email: string;
  /**
   * Phone number with + and calling code, unique among your customers.
   * @example "+2348012345678"
   */
  phone: string;
  /** In which state it is. */
  status: CustomerStatus;
  /** How far the compliance review has come; payouts need approved. */
  kyc_status: KycStatus;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /** Whether the customer is a person or a business. */
  customer_type: 'business';
  /** What the business is. */
  business_info: BusinessDetails;
  /** The registered address, in the shape of the request. */
  address: CustomerRegisteredAddress | null;
  /** Income and purpose, in readable text. */
  financial_info: {
    /**
     * What the account is for.
     * @example "Personal or living expenses"
     */
    account_purpose: string | null;
    /**
     * Expected income in a month, in local currency: zero or more, at most 2 decimals.
     * @example "2500.50"
     */
    expected_monthly_income: string | null;
    /**
     * Where the money comes from.
     * @example "Salary"
     */
    source_of_funds: string | null;
  };
}

export interface ChangedIndividualCustomer {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * E-mail address, unique among your customers; compared in lower case.
   * @example "ada@example.com"
   */
  email: string;
  /**
   * Phone number with + and calling code, unique among your customers.
   * @example "+2348012345678"
   */
  phone: string;
  /** In which state it is. */
  status: CustomerStatus;
  /** How far the compliance review has come; payouts need approved. */
  kyc_status: KycStatus;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /** Whether the customer is a person or a business. */
  customer_type: 'individual';
  /** Who the person is; all null for a business. */
  personal_info: PersonalDetails;
  /** The registered address, in the shape of the request. */
  address: CustomerRegisteredAddress | null;
  /** Income and purpose, in readable text. */
  financial_info: FinancialDetails;
}

export interface Checkpoint {
  /**
   * Names the log that the checkpoint speaks of.
   * @example "ledger.example.com/shard/0"
   */
  origin: string;
  /**
   * How many events the checkpoint covers: the position of the last one.
   * @example 1204
   */
  size: number;
  /**
   * Root of the Merkle tree (RFC 6962) over the events, in base64.
   * @example "fO1dL8kz7N0i4l4jL1mH3rQ0o3b0m3mZy1l3m2o9b7A="
   */
  root: string;
  /**
   * When it was signed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Names the key that signed it.
   * @example "1f2e3d4c"
   */
  key_id: string;
  /**
   * The key that verifies it (Ed25519), 32 bytes in base64.
   * @example "fO1dL8kz7N0i4l4jL1mH3rQ0o3b0m3mZy1l3m2o9b7A="
   */
  public_key: string;
  /** The same key as tools for signed notes take it. */
  verifier_key: string;
  /** The signed checkpoint (c2sp.org/tlog-checkpoint), line feeds included. */
  checkpoint: string;
}

export interface CheckpointListParams {
  /**
   * Which page, from 1.
   * @example 1
   */
  page?: number;
  /**
   * How many items a page has at most.
   * @example 20
   */
  limit?: number;
}

export interface ConsistencyParams {
  /**
   * Size of the older checkpoint.
   * @example 1000
   */
  from: number;
  /**
   * Size of the newer checkpoint.
   * @example 1204
   */
  to: number;
}

export interface ConsistencyProof {
  /** What kind of document this is, and its version. */
  format: 'stablecoin-ledger-consistency/1';
  /** The older signed checkpoint. */
  old: string;
  /** The newer signed checkpoint. */
  new: string;
  /** The hashes beside the way to the root, the nearest first. */
  path: string[];
}

export type Currency = 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD';

export type Customer = IndividualCustomer | BusinessCustomer;

export interface CustomerAddress {
  /**
   * First line of the street address.
   * @example "12 Marina Road"
   */
  line_1: string;
  /**
   * Second line of the street address.
   * @example "Floor 3"
   */
  line_2: string | null;
  /**
   * City or town.
   * @example "Lagos"
   */
  city: string;
  /**
   * State, province or region.
   * @example "Lagos"
   */
  state: string;
  /**
   * Postal code.
   * @example "100221"
   */
  postal_code: string | null;
  /**
   * English name of the country.
   * @example "Nigeria"
   */
  country: string;
}

export interface CustomerClosedEvent {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'customer.closed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventCustomer;
}

export interface CustomerClosedEventWithDeliveries {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'customer.closed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventCustomer;
  /** How the event fared at each webhook, oldest webhook first. */
  deliveries: EventDelivery[];
}

export interface CustomerCreatedEvent {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'customer.created';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventCustomer;
}

export interface CustomerCreatedEventWithDeliveries {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'customer.created';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventCustomer;
  /** How the event fared at each webhook, oldest webhook first. */
  deliveries: EventDelivery[];
}

export interface CustomerListParams {
  /** Only customers in this state. */
  status?: CustomerStatus;
  /** Only customers of this type. */
  customer_type?: CustomerType;
  /**
   * A whole e-mail address, phone number or id.
   * @example "ada@example.com"
   */
  search?: string;
  /**
   * Which page, from 1.
   * @example 1
   */
  page?: number;
  /**
   * How many items a page has at most.
   * @example 20
   */
  limit?: number;
}

export interface CustomerRegisteredAddress {
  /**
   * First line of the street address.
   * @example "12 Marina Road"
   */
  street1: string;
  /**
   * Second line of the street address.
   * @example "Floor 3"
   */
  street2: string | null;
  /**
   * City or town.
   * @example "Lagos"
   */
  city: string;
  /**
   * State, province or region.
   * @example "Lagos"
   */
  state: string;
  /**
   * Postal code.
   * @example "100221"
   */
  postal_code: string | null;
  /**
   * Two-letter country code (ISO 3166-1).
   * @example "NG"
   */
  country: string;
}

export type CustomerStatus = 'active' | 'closed';

export interface CustomerTransaction {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * The merchant.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  merchant_id: string;
  /**
   * The wallet that the money leaves; null when it comes from outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  sender_wallet_id: string | null;
  /**
   * The wallet that the money reaches; null when it goes outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  receiver_wallet_id: string | null;
  /**
   * Short identifier of the transaction.
   * @example "K7Q2ZP9X4B"
   */
  transaction_id: string;
  /** The currency. */
  asset_code: Currency;
  /**
   * The amount: 8 decimals.
   * @example "10.50000000"
   */
  amount: string;
  /**
   * Groups related transactions; for a swap its swapId.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  reference_id: string;
  /** In which state it is. */
  status: TransactionStatus;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /**
   * The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
   * @example "0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd"
   */
  crypto_transaction_id: string | null;
  /** The blockchain network, in lower case. */
  network: Network | null;
  /** What kind of movement it is. */
  transaction_type: TransactionType;
  /** Whether the wallet gains or gives. */
  transaction_mode: TransactionMode;
  /**
   * The price at which the amount was exchanged or valued.
   * @example "1489.55"
   */
  exchange_rate: string | null;
  /**
   * Who is paid.
   * @example "Ada Obi"
   */
  withdrawal_recipient_name: string | null;
  /**
   * What the payout cost on top of the amount; null: nothing.
   * @example "0.50000000"
   */
  fee: string | null;
  /**
   * The balance of the wallet right after the latest event of the transaction.
   * @example "89.50000000"
   */
  balance: string;
  /**
   * For payouts, where the money goes.
   * @example "Payout to 0123456789 (058)"
   */
  reason: string | null;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id: string | null;
  /** Currency of the account that is paid; left out, that of the payout if fiat, else USD. */
  recipient_currency: Currency | null;
  /**
   * Country of the account that is paid.
   * @example "Nigeria"
   */
  recipient_country: string | null;
  /**
   * Name of the bank.
   * @example "First Bank"
   */
  bank_name: string | null;
  /**
   * Code of the bank.
   * @example "058"
   */
  bank_code: string | null;
  /**
   * Number of the account that is paid.
   * @example "0123456789"
   */
  bank_account: string | null;
  /**
   * The address that is paid.
   * @example "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
   */
  address: string | null;
  /** Where people look at that transaction; null for one that is on no chain. */
  explorer_url: string | null;
  /**
   * Of a PENDING deposit on an EVM network that is looked up by itself: the block that it is in, and those after it. Else null, and while the chain is not known.
   * @example 3
   */
  confirmations: number | null;
  /**
   * With how many of them it is credited; null where that is when its network calls the block final.
   * @example 12
   */
  confirmations_required: number | null;
  /** Why a PENDING payout is not sent yet: `approval`, until enough other keys have approved it; `cooling_off`, until its destination has been known for long enough; `screening`, while its recipient is under review, told where it is looked up by itself. Else null. */
  waiting_for: 'approval' | 'cooling_off' | 'screening' | null;
  /**
   * Before then the payout is not sent; null where nothing has to be waited for.
   * @example "2026-01-31T09:30:00.000Z"
   */
  send_after: string | null;
  /**
   * Stands for exactly what the payout sends: an approver sends it with the approval. Null for a payout that needs none.
   * @example "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"
   */
  approval_hash: string | null;
  /**
   * How many keys must approve it; null for a payout that needs none.
   * @example 1
   */
  approvals_required: number | null;
  /** The approvals that are there; null for a payout that needs none. */
  approvals: Approval[] | null;
  /**
   * If it is not approved by then, it fails and its money goes back; null for a payout that needs none.
   * @example "2026-01-31T09:30:00.000Z"
   */
  approval_expires_at: string | null;
}

export interface CustomerTransactionListParams {
  /**
   * Only those in this currency; an unknown one matches none.
   * @example "USDT"
   */
  currency?: string;
  /**
   * Last day, UTC, included; not before start_date.
   * @example "2026-01-31"
   */
  end_date?: string;
  /**
   * How many items a page has at most.
   * @example 20
   */
  limit?: number;
  /**
   * A part of transaction_id or id, in any case; % and _ mean themselves.
   * @example "K7Q2"
   */
  search?: string;
  /** Only those in this state. */
  status?: TransactionStatus;
  /** What kind of movement it is. */
  transaction_type?: TransactionType;
  /** Whether the wallet gains or gives. */
  transaction_mode?: TransactionMode;
  /** Only payouts that wait for this. */
  waiting_for?: 'approval' | 'cooling_off';
  /**
   * First day, UTC, included.
   * @example "2026-01-01"
   */
  start_date?: string;
  /**
   * Which page, from 1.
   * @example 1
   */
  page?: number;
}

export type CustomerType = 'individual' | 'business';

export interface CustomerUpdatedEvent {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'customer.updated';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventCustomer;
}

export interface CustomerUpdatedEventWithDeliveries {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'customer.updated';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventCustomer;
  /** How the event fared at each webhook, oldest webhook first. */
  deliveries: EventDelivery[];
}

export type DeliveryError =
  | 'refused_by_receiver'
  | 'timeout'
  | 'connection_failed'
  | 'host_not_found'
  | 'private_address'
  | 'webhook_disabled'
  | 'webhook_deleted';

export interface DepositAddress {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * The deposit address.
   * @example "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
   */
  address: string;
  /** The blockchain network, in lower case. */
  network: Network;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
}

export interface DepositCompletedEvent {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'deposit.completed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
}

export interface DepositCompletedEventWithDeliveries {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'deposit.completed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
  /** How the event fared at each webhook, oldest webhook first. */
  deliveries: EventDelivery[];
}

export interface DepositFailedEvent {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'deposit.failed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
}

export interface DepositFailedEventWithDeliveries {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'deposit.failed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
  /** How the event fared at each webhook, oldest webhook first. */
  deliveries: EventDelivery[];
}

export interface DepositPendingEvent {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'deposit.pending';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
}

export interface DepositPendingEventWithDeliveries {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'deposit.pending';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
  /** How the event fared at each webhook, oldest webhook first. */
  deliveries: EventDelivery[];
}

export interface DepositReversedEvent {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'deposit.reversed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
}

export interface DepositReversedEventWithDeliveries {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'deposit.reversed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
  /** How the event fared at each webhook, oldest webhook first. */
  deliveries: EventDelivery[];
}

export interface Document {
  /**
   * Names the document in the body of a customer, once, within a day.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  document_id: string;
  /**
   * Digest of the document.
   * @example "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
   */
  sha256: string;
  /**
   * How large it is.
   * @example 48213
   */
  bytes: number;
  /** What it is, by its first bytes. */
  media_type: 'image/png' | 'image/jpeg' | 'application/pdf';
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
}

export interface DocumentUpload {
  /**
   * What the document is: valid_ids, utility_bill, BANK_STATEMENT, PROOF_OF_ADDRESS, OTHER.
   * @example "valid_ids"
   */
  doc_type: string;
  /**
   * Which part of it.
   * @example "front"
   */
  sub_type?: string | null;
  /** The document itself; or `document_id` in its place. A base64 data URI (PNG, JPEG or PDF, at most 5 MiB), or an https URL */
  doc_image?: string;
  /**
   * A document that was sent by itself, less than a day ago, and that no customer has yet.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  document_id?: string | null;
  /**
   * Country that issued it, two letters.
   * @example "NG"
   */
  doc_country?: string | null;
}

export type EmploymentStatus = 'EMPLOYED' | 'SELF_EMPLOYED' | 'UNEMPLOYED' | 'STUDENT' | 'RETIRED' | 'OTHER';

export type Event =
  | CustomerCreatedEvent
  | CustomerUpdatedEvent
  | CustomerClosedEvent
  | DepositPendingEvent
  | DepositCompletedEvent
  | DepositFailedEvent
  | DepositReversedEvent
  | SwapCompletedEvent
  | PayoutApprovalRequiredEvent
  | PayoutCompletedEvent
  | PayoutFailedEvent
  | PayoutReversedEvent
  | WebhookTestEvent;

export interface EventApproval {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * Short identifier of the transaction.
   * @example "K7Q2ZP9X4B"
   */
  transaction_id: string;
  /**
   * Groups related transactions; for a swap its swapId.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  reference_id: string;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id: string | null;
  /**
   * The wallet that the money leaves; null when it comes from outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  sender_wallet_id: string | null;
  /**
   * The wallet that the money reaches; null when it goes outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  receiver_wallet_id: string | null;
  /** What kind of movement it is. */
  transaction_type: TransactionType;
  /** Whether the wallet gains or gives. */
  transaction_mode: TransactionMode;
  /** The currency. */
  asset_code: Currency;
  /**
   * The amount: 8 decimals.
   * @example "10.50000000"
   */
  amount: string;
  /** In which state it is. */
  status: TransactionStatus;
  /** The blockchain network, in lower case. */
  network: Network | null;
  /**
   * The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
   * @example "0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd"
   */
  crypto_transaction_id: string | null;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /**
   * Stands for exactly what the payout sends: an approver sends it with the approval. Null for a payout that needs none.
   * @example "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"
   */
  approval_hash: string;
  /**
   * If it is not approved by then, it fails and its money goes back; null for a payout that needs none.
   * @example "2026-01-31T09:30:00.000Z"
   */
  approval_expires_at: string;
}

export interface EventCustomer {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** Whether the customer is a person or a business. */
  customer_type: CustomerType;
  /** In which state it is. */
  status: CustomerStatus;
  /** How far the compliance review has come; payouts need approved. */
  kyc_status: KycStatus;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
}

export interface EventDelivery {
  /**
   * The webhook.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  webhook_id: string;
  /**
   * Where events are sent: https, or with a test key http on this machine.
   * @example "https://merchant.example/hooks"
   */
  url: string;
  /** pending until it was taken with a 2xx, or given up. */
  status: 'pending' | 'delivered' | 'failed';
  /**
   * How many attempts there were, of at most ten.
   * @example 1
   */
  attempts: number;
  /**
   * When the last attempt was made.
   * @example "2026-01-31T09:30:00.000Z"
   */
  last_attempt_at: string | null;
  /**
   * When the next one is due.
   * @example "2026-01-31T09:30:00.000Z"
   */
  next_attempt_at: string | null;
  /**
   * The HTTP status of the last answer.
   * @example 200
   */
  response_status: number | null;
  /** Why the last attempt was not a success. */
  error: DeliveryError | null;
}

export interface EventListParams {
  /** Only events of this type. */
  type?:
    | 'customer.created'
    | 'customer.updated'
    | 'customer.closed'
    | 'deposit.pending'
    | 'deposit.completed'
    | 'deposit.failed'
    | 'deposit.reversed'
    | 'swap.completed'
    | 'payout.approval_required'
    | 'payout.completed'
    | 'payout.failed'
    | 'payout.reversed'
    | 'webhook.test';
  /**
   * Which page, from 1.
   * @example 1
   */
  page?: number;
  /**
   * How many items a page has at most.
   * @example 20
   */
  limit?: number;
}

export interface EventSwap {
  /**
   * The swap: the id of its quote, and the reference_id of both transactions.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  swapId: string;
  /** What leaves the wallet in from_currency. */
  debitTransaction: EventTransaction;
  /** What arrives in the wallet in to_currency. */
  creditTransaction: EventTransaction;
}

export interface EventTest {
  /**
   * The webhook.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  webhook_id: string;
}

export interface EventTransaction {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * Short identifier of the transaction.
   * @example "K7Q2ZP9X4B"
   */
  transaction_id: string;
  /**
   * Groups related transactions; for a swap its swapId.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  reference_id: string;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id: string | null;
  /**
   * The wallet that the money leaves; null when it comes from outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  sender_wallet_id: string | null;
  /**
   * The wallet that the money reaches; null when it goes outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  receiver_wallet_id: string | null;
  /** What kind of movement it is. */
  transaction_type: TransactionType;
  /** Whether the wallet gains or gives. */
  transaction_mode: TransactionMode;
  /** The currency. */
  asset_code: Currency;
  /**
   * The amount: 8 decimals.
   * @example "10.50000000"
   */
  amount: string;
  /** In which state it is. */
  status: TransactionStatus;
  /** The blockchain network, in lower case. */
  network: Network | null;
  /**
   * The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
   * @example "0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd"
   */
  crypto_transaction_id: string | null;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
}

export type EventWithDeliveries =
  | CustomerCreatedEventWithDeliveries
  | CustomerUpdatedEventWithDeliveries
  | CustomerClosedEventWithDeliveries
  | DepositPendingEventWithDeliveries
  | DepositCompletedEventWithDeliveries
  | DepositFailedEventWithDeliveries
  | DepositReversedEventWithDeliveries
  | SwapCompletedEventWithDeliveries
  | PayoutApprovalRequiredEventWithDeliveries
  | PayoutCompletedEventWithDeliveries
  | PayoutFailedEventWithDeliveries
  | PayoutReversedEventWithDeliveries
  | WebhookTestEventWithDeliveries;

export interface ExecutedSwap {
  /** What leaves the wallet in from_currency. */
  debitTransaction: SwapTransaction;
  /** What arrives in the wallet in to_currency. */
  creditTransaction: SwapTransaction;
  /**
   * The swap: the id of its quote, and the reference_id of both transactions.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  swapId: string;
}

export interface ExplainedEvent {
  /**
   * Where the event stands in the log of the shard, counted from 1.
   * @example 1204
   */
  position: number;
  /**
   * Position of the first event of its group: what stands or falls together.
   * @example 1203
   */
  group: number;
  /** What the group of events amounts to. */
  movement:
    | 'wallet-opened'
    | 'deposit-address-added'
    | 'customer-closed'
    | 'deposit-recorded'
    | 'deposit-completed'
    | 'deposit-failed'
    | 'deposit-reversed'
    | 'swap-accepted'
    | 'swap-settled'
    | 'payout-accepted'
    | 'payout-completed'
    | 'payout-failed'
    | 'payout-reversed'
    | 'payout-waiting'
    | 'payout-approved'
    | 'payout-released'
    | 'policy-changed'
    | 'transfer-sent'
    | 'transfer-received';
  /**
   * When the event was recorded.
   * @example "2026-01-31T09:30:00.000Z"
   */
  recorded_at: string;
  /**
   * The command that led to the event.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  command_id: string;
  /** What kind of event it is. */
  type: 'DebitPosted' | 'CreditPosted' | 'TransactionStatusChanged';
  /**
   * A wallet, or an account of the house.
   * @example "payout-clearing:USD"
   */
  account_id: string;
  /** The currency posted; null for a step of the status. */
  currency: Currency | null;
  /**
   * The amount posted; null for a step of the status.
   * @example "10.50000000"
   */
  amount: string | null;
  /** The status before; null for the first one, and for postings. */
  from_status: TransactionStatus | null;
  /** The status from here on; null for postings. */
  to_status: TransactionStatus | null;
  /**
   * What the wallet held after the event; null for accounts of the house.
   * @example "10.50000000"
   */
  balance_after: string | null;
  /**
   * The hash of the event as a leaf of the Merkle tree that checkpoints sign.
   * @example "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
   */
  leaf_hash: string;
}

export type FiatCurrency = 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD';

export interface FieldError {
  /**
   * The path of the field in the body, or the name of the parameter; empty for the body as a whole.
   * @example "registered_address.country"
   */
  field: string;
  /** What is wrong with the field; a closed set. */
  code: FieldErrorCode;
  /**
   * The same in a sentence, without the value that was sent.
   * @example "is required"
   */
  message: string;
}

export type FieldErrorCode =
  | 'required'
  | 'unknown_field'
  | 'repeated_parameter'
  | 'conflicting_fields'
  | 'not_applicable'
  | 'invalid_object'
  | 'invalid_list'
  | 'too_deep'
  | 'too_many_values'
  | 'invalid_text'
  | 'invalid_choice'
  | 'invalid_boolean'
  | 'invalid_number'
  | 'invalid_amount'
  | 'too_many_decimals'
  | 'faucet_empty'
  | 'no_faucet'
  | 'invalid_date'
  | 'invalid_hash'
  | 'invalid_moment'
  | 'in_the_future'
  | 'invalid_date_range'
  | 'too_young'
  | 'invalid_email'
  | 'invalid_phone'
  | 'invalid_phone_country_code'
  | 'invalid_url'
  | 'private_address'
  | 'invalid_uuid'
  | 'invalid_country'
  | 'invalid_industry'
  | 'invalid_document'
  | 'invalid_form'
  | 'document_too_large'
  | 'unsupported_currency'
  | 'unsupported_network'
  | 'invalid_address'
  | 'unpayable_address'
  | 'invalid_account_number'
  | 'invalid_bank_code'
  | 'invalid_sort_code'
  | 'invalid_swift_code'
  | 'invalid_routing_number'
  | 'invalid_iban'
  | 'invalid_page'
  | 'invalid_limit'
  | 'invalid_idempotency_key'
  | 'invalid_value';

export interface FinancialDetails {
  /**
   * What the account is for.
   * @example "Personal or living expenses"
   */
  account_purpose: string | null;
  /**
   * Expected income in a month, in local currency: zero or more, at most 2 decimals.
   * @example "2500.50"
   */
  expected_monthly_income: string | null;
  /**
   * Where the money comes from.
   * @example "Salary"
   */
  source_of_funds: string | null;
  /**
   * How the person earns a living.
   * @example "Self employed"
   */
  employment_status: string | null;
  /**
   * Latest occupation: an SOC code, printed as its title.
   * @example "Software developers"
   */
  most_recent_occupation: string | null;
}

export interface IndividualCustomer {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * E-mail address, unique among your customers; compared in lower case.
   * @example "ada@example.com"
   */
  email: string;
  /**
   * Phone number with + and calling code, unique among your customers.
   * @example "+2348012345678"
   */
  phone: string;
  /** In which state it is. */
  status: CustomerStatus;
  /** How far the compliance review has come; payouts need approved. */
  kyc_status: KycStatus;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /** Whether the customer is a person or a business. */
  customer_type: 'individual';
  /** Who the person is; all null for a business. */
  personal_info: PersonalDetails;
  /** The registered address, with the name of the country. */
  address: CustomerAddress | null;
  /** Income and purpose, in readable text. */
  financial_info: FinancialDetails;
}

export interface IndividualCustomerParams {
  /** Whether the customer is a person or a business. */
  customer_type?: 'individual';
  /**
   * Given name.
   * @example "Ada"
   */
  first_name: string;
  /**
   * Middle name.
   * @example "Ngozi"
   */
  middle_name?: string | null;
  /**
   * Family name.
   * @example "Obi"
   */
  last_name: string;
  /**
   * E-mail address, unique among your customers; compared in lower case.
   * @example "ada@example.com"
   */
  email: string;
  /**
   * Phone number with + and calling code, unique among your customers.
   * @example "+2348012345678"
   */
  phone: string;
  /**
   * Calling code of the phone number.
   * @example "+234"
   */
  phone_country_code?: string | null;
  /**
   * Date of birth; at least 18 years ago.
   * @example "1990-05-17"
   */
  birth_date: string;
  /** What the account is for. */
  account_purpose: AccountPurpose;
  /**
   * The same in your own words; line feeds and tabs allowed.
   * @example "Paying suppliers abroad"
   */
  account_purpose_explanation?: string | null;
  /** How the person earns a living. */
  employment_status: EmploymentStatus;
  /**
   * Expected income in a month, in local currency: zero or more, at most 2 decimals.
   * @example "2500.50"
   */
  expected_monthly_income: string;
  /**
   * Expected payments in a month, in US dollars.
   * @example "1000.00"
   */
  expected_monthly_payments_usd?: string | null;
  /** Latest occupation: an SOC code, printed as its title. */
  most_recent_occupation: Occupation;
  /** Where the money comes from. */
  source_of_funds: SourceOfFunds;
  /**
   * Whether the person acts for someone else; false unless said.
   * @example false
   */
  acting_as_intermediary?: boolean | null;
  /**
   * Tax number; kept encrypted, never printed.
   * @example "123-45-6789"
   */
  tax_identification_number?: string | null;
  /** The registered address. */
  registered_address: RegisteredAddress;
  /** KYC documents to attach. */
  documents?: DocumentUpload[] | null;
  /** Another name of documents; not together with it. */
  user_documents?: DocumentUpload[] | null;
}

export interface IndividualCustomerUpdateParams {
  /** The address as look-ups print it, in place of registered_address. */
  address?: PrintedAddress | RegisteredAddress;
  /** As look-ups print it; its fields may be sent at top level instead. */
  personal_info?: PersonalFields;
  /** As look-ups print it; its fields may be sent at top level instead. */
  financial_info?: IndividualFinances;
  /** Whether the customer is a person or a business. */
  customer_type?: 'individual';
  /**
   * E-mail address, unique among your customers; compared in lower case.
   * @example "ada@example.com"
   */
  email?: string;
  /**
   * Phone number with + and calling code, unique among your customers.
   * @example "+2348012345678"
   */
  phone?: string;
  /**
   * Calling code of the phone number.
   * @example "+234"
   */
  phone_country_code?: string | null;
  /**
   * The same in your own words; line feeds and tabs allowed.
   * @example "Paying suppliers abroad"
   */
  account_purpose_explanation?: string | null;
  /**
   * Expected payments in a month, in US dollars.
   * @example "1000.00"
   */
  expected_monthly_payments_usd?: string | null;
  /**
   * Whether the person acts for someone else; false unless said.
   * @example false
   */
  acting_as_intermediary?: boolean | null;
  /**
   * Tax number; kept encrypted, never printed.
   * @example "123-45-6789"
   */
  tax_identification_number?: string | null;
  /** The registered address. */
  registered_address?: RegisteredAddress;
  /**
   * Given name.
   * @example "Ada"
   */
  first_name?: string;
  /**
   * Middle name.
   * @example "Ngozi"
   */
  middle_name?: string | null;
  /**
   * Family name.
   * @example "Obi"
   */
  last_name?: string;
  /**
   * Date of birth; at least 18 years ago.
   * @example "1990-05-17"
   */
  birth_date?: string;
  /**
   * What the account is for.
   * @example "Personal or living expenses"
   */
  account_purpose?: string;
  /**
   * How the person earns a living.
   * @example "Self employed"
   */
  employment_status?: string;
  /**
   * Expected income in a month, in local currency: zero or more, at most 2 decimals.
   * @example "2500.50"
   */
  expected_monthly_income?: string;
  /**
   * Latest occupation: an SOC code, printed as its title.
   * @example "Software developers"
   */
  most_recent_occupation?: string;
  /**
   * Where the money comes from.
   * @example "Salary"
   */
  source_of_funds?: string;
  /** KYC documents to attach. */
  documents?: DocumentUpload[] | null;
  /** Another name of documents; not together with it. */
  user_documents?: DocumentUpload[] | null;
  /** Printed by look-ups; taken back and left alone. Taken and left alone */
  id?: unknown;
  /** In which state it is. Taken and left alone */
  status?: unknown;
  /** How far the compliance review has come; payouts need approved. Taken and left alone */
  kyc_status?: unknown;
  /** When it was created. Taken and left alone */
  created_at?: unknown;
  /** When it was last changed. Taken and left alone */
  updated_at?: unknown;
}

export interface IndividualFinances {
  /**
   * What the account is for.
   * @example "Personal or living expenses"
   */
  account_purpose?: string;
  /**
   * How the person earns a living.
   * @example "Self employed"
   */
  employment_status?: string;
  /**
   * Expected income in a month, in local currency: zero or more, at most 2 decimals.
   * @example "2500.50"
   */
  expected_monthly_income?: string;
  /**
   * Latest occupation: an SOC code, printed as its title.
   * @example "Software developers"
   */
  most_recent_occupation?: string;
  /**
   * Where the money comes from.
   * @example "Salary"
   */
  source_of_funds?: string;
}

export type KycStatus = 'not_started' | 'under_review' | 'approved' | 'rejected';

export interface LiabilityNode {
  /**
   * Hash of the node.
   * @example "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
   */
  hash: string;
  /**
   * What is owed to all wallets under it.
   * @example "10.50000000"
   */
  sum: string;
}

export interface LiabilityProof {
  /** What kind of document this is, and its version. */
  format: 'stablecoin-ledger-liability/1';
  /**
   * The wallet.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  wallet_id: string;
  /** The currency. */
  currency: Currency;
  /**
   * What the wallet held then; below zero only by a deposit that was reversed, and then counted as zero.
   * @example "10.50000000"
   */
  balance: string;
  /**
   * Amounts and fees of its payouts that were PENDING then.
   * @example "5.25000000"
   */
  held: string;
  /**
   * What the wallet's leaf was hashed with: its own, and no other's.
   * @example "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
   */
  salt: string;
  /**
   * Which leaf of the tree it is, from 0; its bits say on which side each node of the path stands.
   * @example 173
   */
  index: number;
  /** The nodes beside the way to the root, the nearest first. */
  path: LiabilityNode[];
  /** What we have signed that we owe, line feeds included. */
  statement: string;
}

export type Network = 'erc20' | 'bep20' | 'solana' | 'trc20' | 'polygon';

export interface NewWebhook {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * Where events are sent: https, or with a test key http on this machine.
   * @example "https://merchant.example/hooks"
   */
  url: string;
  /**
   * A note of your own.
   * @example "Float for payouts"
   */
  description: string | null;
  /** The types that are sent there; null or left out: all of them. */
  events: WebhookEventType[] | null;
  /** Whether it is sent to; disabled by you, or once it answered 410. */
  status: WebhookStatus;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /**
   * Signs what is sent there: whsec_ and the key in base64. Shown once.
   * @example "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
   */
  secret: string;
}

export interface NoPerson {
  /** Given name. */
  first_name?: null;
  /** Middle name. */
  middle_name?: null;
  /** Family name. */
  last_name?: null;
  /** Date of birth; at least 18 years ago. */
  birth_date?: null;
}

export type Occupation =
  | '111011'
  | '111021'
  | '111031'
  | '112011'
  | '112021'
  | '113012'
  | '113013'
  | '113021'
  | '113031'
  | '113051'
  | '113111'
  | '113121'
  | '119013'
  | '119021'
  | '119030'
  | '119041'
  | '119051'
  | '119070'
  | '119081'
  | '119111'
  | '119121'
  | '119161'
  | '119171'
  | '119199'
  | '131011'
  | '131021'
  | '131030'
  | '131041'
  | '131051'
  | '131070'
  | '131081'
  | '131111'
  | '131121'
  | '131131'
  | '131141'
  | '131161'
  | '131199'
  | '132011'
  | '132031'
  | '132041'
  | '132051'
  | '132053'
  | '132061'
  | '132070'
  | '151211'
  | '151212'
  | '151221'
  | '151230'
  | '151241'
  | '151244'
  | '151251'
  | '151299'
  | '152011'
  | '152021'
  | '152031'
  | '171011'
  | '171012'
  | '172011'
  | '172021'
  | '172031'
  | '172041'
  | '172051'
  | '172061'
  | '172070'
  | '172081'
  | '172110'
  | '172121'
  | '172131'
  | '172141'
  | '172151'
  | '172161'
  | '172199'
  | '173011'
  | '173023'
  | '191010'
  | '191020'
  | '191030'
  | '191040'
  | '191099'
  | '192010'
  | '192021'
  | '192030'
  | '192041'
  | '193011'
  | '193033'
  | '193090'
  | '194010'
  | '194021'
  | '194031'
  | '194040'
  | '194051'
  | '195010'
  | '211012'
  | '211013'
  | '211014'
  | '211019'
  | '211021'
  | '211022'
  | '211023'
  | '212011'
  | '212021'
  | '231011'
  | '231012'
  | '231020'
  | '232099'
  | '252020'
  | '254010'
  | '254022'
  | '254031'
  | '271010'
  | '271021'
  | '271022'
  | '271023'
  | '271024'
  | '271025'
  | '271026'
  | '272011'
  | '272021'
  | '272022'
  | '272030'
  | '272041'
  | '272042'
  | '272091'
  | '272099'
  | '273011'
  | '273023'
  | '273041'
  | '273091'
  | '273092'
  | '273099'
  | '274010'
  | '274099'
  | '291011'
  | '291020'
  | '291031'
  | '291041'
  | '291122'
  | '291128'
  | '291151'
  | '291161'
  | '291171'
  | '291181'
  | '291214'
  | '291291'
  | '291292'
  | '291299'
  | '292010'
  | '292031'
  | '292032'
  | '292035'
  | '292042'
  | '292061'
  | '292072'
  | '292081'
  | '292090'
  | '299000'
  | '311121'
  | '311131'
  | '312010'
  | '319011'
  | '319091'
  | '319092'
  | '319094'
  | '331011'
  | '331012'
  | '331021'
  | '331091'
  | '331099'
  | '332011'
  | '332020'
  | '333011'
  | '333012'
  | '333021'
  | '333031'
  | '339011'
  | '339091'
  | '351011'
  | '351012'
  | '352010'
  | '352021'
  | '353011'
  | '353023'
  | '353041'
  | '359011'
  | '359021'
  | '359031'
  | '359099'
  | '371011'
  | '371012'
  | '372012'
  | '373011'
  | '392011'
  | '392021'
  | '393010'
  | '394031'
  | '395011'
  | '395012'
  | '395092'
  | '396010'
  | '399011'
  | '399031'
  | '411011'
  | '411012'
  | '412010'
  | '412021'
  | '413011'
  | '413021'
  | '419010'
  | '419091'
  | '431011'
  | '432099'
  | '433011'
  | '433021'
  | '433031'
  | '433041'
  | '433099'
  | '434011'
  | '434021'
  | '434031'
  | '434041'
  | '434051'
  | '434061'
  | '434071'
  | '434081'
  | '434111'
  | '434121'
  | '434131'
  | '434141'
  | '434151'
  | '434161'
  | '434199'
  | '435011'
  | '435021'
  | '435032'
  | '435041'
  | '436011'
  | '436012'
  | '436013'
  | '439021'
  | '439031'
  | '439041'
  | '439051'
  | '439061'
  | '439071'
  | '439199'
  | '451011'
  | '452011'
  | '452021'
  | '452041'
  | '452090'
  | '453031'
  | '454011'
  | '454020'
  | '471011'
  | '472011'
  | '472020'
  | '472031'
  | '472040'
  | '472050'
  | '472061'
  | '472070'
  | '472080'
  | '472111'
  | '472121'
  | '472130'
  | '473010'
  | '474011'
  | '474021'
  | '474031'
  | '474041'
  | '474051'
  | '474090'
  | '475010'
  | '475022'
  | '475023'
  | '475032'
  | '491011'
  | '492011'
  | '492091'
  | '492092'
  | '492093'
  | '492096'
  | '492097'
  | '493011'
  | '493021'
  | '493022'
  | '493023'
  | '493031'
  | '493040'
  | '493090'
  | '499010'
  | '499021'
  | '499031'
  | '499043'
  | '499044'
  | '499051'
  | '499071'
  | '499091'
  | '499092'
  | '499094'
  | '499095'
  | '499098'
  | '511011'
  | '512011'
  | '512020'
  | '512031'
  | '513011'
  | '513020'
  | '513091'
  | '513092'
  | '513093'
  | '513099'
  | '514020'
  | '514031'
  | '514033'
  | '514041'
  | '514050'
  | '514060'
  | '514070'
  | '516011'
  | '517011'
  | '517021'
  | '518090'
  | '519010'
  | '519020'
  | '519030'
  | '519041'
  | '519051'
  | '519061'
  | '519071'
  | '519080'
  | '519160'
  | '519191'
  | '519194'
  | '519195'
  | '519198'
  | '532010'
  | '532020'
  | '532031'
  | '533011'
  | '533030'
  | '533099'
  | '534010'
  | '537021'
  | '537051'
  | '537061'
  | '537062'
  | '537063'
  | '551010'
  | '552010'
  | '553010'
  | '554010'
  | '1320XX'
  | '15124X'
  | '17301X'
  | '17302X'
  | '19204X'
  | '1940XX'
  | '21109X'
  | '2590XX'
  | '27102X'
  | '29203X'
  | '29205X'
  | '31113X'
  | '31909X'
  | '37201X'
  | '37301X'
  | '3930XX'
  | '3940XX'
  | '4750XX'
  | '49209X'
  | '49904X'
  | '49909X'
  | '5120XX'
  | '5370XX';

export interface OpenedDepositAddress {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * The deposit address.
   * @example "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
   */
  address: string;
  /** The blockchain network, in lower case. */
  network: Network;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * The wallet that the address belongs to.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  crypto_wallet_id: string;
}

export interface OpenedWallet {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** Whether it is national currency or a stablecoin. */
  asset_type: AssetType;
  /** The currency. */
  currency: Currency;
  /**
   * What the wallet holds and can spend: 8 decimals. Below zero only by deposits that were reversed.
   * @example "10.50000000"
   */
  balance: string;
  /**
   * A note of your own.
   * @example "Float for payouts"
   */
  description: string;
  /** In which state it is. */
  status: 'active';
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id: string | null;
  /** Deposit addresses, oldest first; none for fiat. */
  addresses: OpenedDepositAddress[];
}

export interface Pagination {
  /**
   * How many items the whole list has.
   * @example 42
   */
  total: number;
  /**
   * Which page, from 1.
   * @example 1
   */
  page: number;
  /**
   * How many items a page has at most.
   * @example 20
   */
  limit: number;
  /**
   * How many pages there are; 0 for an empty list.
   * @example 3
   */
  totalPages: number;
}

export interface PastBalance {
  /**
   * The wallet.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  wallet_id: string;
  /** The currency. */
  currency: Currency;
  /**
   * What the wallet held; zero before it was opened.
   * @example "10.50000000"
   */
  balance: string;
  /**
   * Position of the event after which it was this; null before the wallet was opened.
   * @example 1204
   */
  position: number | null;
  /**
   * When the event was recorded.
   * @example "2026-01-31T09:30:00.000Z"
   */
  recorded_at: string | null;
}

export interface PastBalanceParams {
  /**
   * The wallet.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  wallet_id: string;
  /**
   * A time with its zone, or a position in the log; its own moment included, and not in the future; left out: now.
   * @example "2026-01-31T09:30:00Z"
   */
  as_of?: string;
}

export interface Payout {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * The wallet that the money leaves; null when it comes from outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  sender_wallet_id: string | null;
  /**
   * The wallet that the money reaches; null when it goes outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  receiver_wallet_id: string | null;
  /**
   * Short identifier of the transaction.
   * @example "K7Q2ZP9X4B"
   */
  transaction_id: string;
  /** The currency. */
  asset_code: Currency;
  /**
   * The amount: 8 decimals.
   * @example "10.50000000"
   */
  amount: string;
  /**
   * Groups related transactions; for a swap its swapId.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  reference_id: string;
  /** In which state it is. */
  status: TransactionStatus;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /**
   * The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
   * @example "0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd"
   */
  crypto_transaction_id: string | null;
  /** The blockchain network, in lower case. */
  network: Network | null;
  /** What kind of movement it is. */
  transaction_type: TransactionType;
  /** Whether the wallet gains or gives. */
  transaction_mode: TransactionMode;
  /**
   * The price at which the amount was exchanged or valued.
   * @example "1489.55"
   */
  exchange_rate: string | null;
  /**
   * Who is paid.
   * @example "Ada Obi"
   */
  withdrawal_recipient_name: string | null;
  /**
   * What the payout cost on top of the amount; null: nothing.
   * @example "0.50000000"
   */
  fee: string | null;
  /**
   * The balance of the wallet right after the payout was held.
   * @example "89.50000000"
   */
  balance: string;
  /**
   * For payouts, where the money goes.
   * @example "Payout to 0123456789 (058)"
   */
  reason: string | null;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id: string | null;
  /** Currency of the account that is paid; left out, that of the payout if fiat, else USD. */
  recipient_currency: Currency | null;
  /**
   * Country of the account that is paid.
   * @example "Nigeria"
   */
  recipient_country: string | null;
  /**
   * Name of the bank.
   * @example "First Bank"
   */
  bank_name: string | null;
  /**
   * Code of the bank.
   * @example "058"
   */
  bank_code: string | null;
  /**
   * Number of the account that is paid.
   * @example "0123456789"
   */
  bank_account: string | null;
  /**
   * The address that is paid.
   * @example "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
   */
  address: string | null;
  /**
   * What the amount is worth in recipient_currency at this moment.
   * @example "15640.27500000"
   */
  amount_fiat: string;
  /**
   * The bank's reference, once there is one.
   * @example "BANK-REF-4711"
   */
  fiat_reference_id: string | null;
  /** Why a PENDING payout is not sent yet: `approval`, until enough other keys have approved it; `cooling_off`, until its destination has been known for long enough; `screening`, while its recipient is under review, told where it is looked up by itself. Else null. */
  waiting_for: 'approval' | 'cooling_off' | 'screening' | null;
  /**
   * Before then the payout is not sent; null where nothing has to be waited for.
   * @example "2026-01-31T09:30:00.000Z"
   */
  send_after: string | null;
  /**
   * Stands for exactly what the payout sends: an approver sends it with the approval. Null for a payout that needs none.
   * @example "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"
   */
  approval_hash: string | null;
  /**
   * How many keys must approve it; null for a payout that needs none.
   * @example 1
   */
  approvals_required: number | null;
  /** The approvals that are there; null for a payout that needs none. */
  approvals: Approval[] | null;
  /**
   * If it is not approved by then, it fails and its money goes back; null for a payout that needs none.
   * @example "2026-01-31T09:30:00.000Z"
   */
  approval_expires_at: string | null;
}

export interface PayoutApprovalParams {
  /**
   * The approval_hash of the payout, as it is shown.
   * @example "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"
   */
  approval_hash: string;
}

export interface PayoutApprovalRequiredEvent {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'payout.approval_required';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventApproval;
}

export interface PayoutApprovalRequiredEventWithDeliveries {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'payout.approval_required';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventApproval;
  /** How the event fared at each webhook, oldest webhook first. */
  deliveries: EventDelivery[];
}

export interface PayoutCompletedEvent {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'payout.completed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
}

export interface PayoutCompletedEventWithDeliveries {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'payout.completed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
  /** How the event fared at each webhook, oldest webhook first. */
  deliveries: EventDelivery[];
}

export interface PayoutDryRun {
  /** Always true, and left out of the answer to what was done: nothing was written. */
  dry_run: true;
  /** Null: nothing was recorded. */
  id: null;
  /**
   * The wallet that the money leaves; null when it comes from outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  sender_wallet_id: string | null;
  /**
   * The wallet that the money reaches; null when it goes outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  receiver_wallet_id: string | null;
  /** Null: nothing was recorded. */
  transaction_id: null;
  /** The currency. */
  asset_code: Currency;
  /**
   * The amount: 8 decimals.
   * @example "10.50000000"
   */
  amount: string;
  /** Null: nothing was recorded. */
  reference_id: null;
  /** In which state it is. */
  status: TransactionStatus;
  /** Null: nothing was recorded. */
  created_at: null;
  /** Null: nothing was recorded. */
  updated_at: null;
  /**
   * The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
   * @example "0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd"
   */
  crypto_transaction_id: string | null;
  /** The blockchain network, in lower case. */
  network: Network | null;
  /** What kind of movement it is. */
  transaction_type: TransactionType;
  /** Whether the wallet gains or gives. */
  transaction_mode: TransactionMode;
  /**
   * The price at which the amount was exchanged or valued.
   * @example "1489.55"
   */
  exchange_rate: string | null;
  /**
   * Who is paid.
   * @example "Ada Obi"
   */
  withdrawal_recipient_name: string | null;
  /**
   * What the payout cost on top of the amount; null: nothing.
   * @example "0.50000000"
   */
  fee: string | null;
  /**
   * The balance that the wallet would have right after the payout was held.
   * @example "89.50000000"
   */
  balance: string;
  /**
   * For payouts, where the money goes.
   * @example "Payout to 0123456789 (058)"
   */
  reason: string | null;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id: string | null;
  /** Currency of the account that is paid; left out, that of the payout if fiat, else USD. */
  recipient_currency: Currency | null;
  /**
   * Country of the account that is paid.
   * @example "Nigeria"
   */
  recipient_country: string | null;
  /**
   * Name of the bank.
   * @example "First Bank"
   */
  bank_name: string | null;
  /**
   * Code of the bank.
   * @example "058"
   */
  bank_code: string | null;
  /**
   * Number of the account that is paid.
   * @example "0123456789"
   */
  bank_account: string | null;
  /**
   * The address that would be paid.
   * @example "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
   */
  address: string | null;
  /**
   * What the amount is worth in recipient_currency at this moment.
   * @example "15640.27500000"
   */
  amount_fiat: string;
  /**
   * The bank's reference, once there is one.
   * @example "BANK-REF-4711"
   */
  fiat_reference_id: string | null;
  /** Why a PENDING payout is not sent yet: `approval`, until enough other keys have approved it; `cooling_off`, until its destination has been known for long enough; `screening`, while its recipient is under review, told where it is looked up by itself. Else null. */
  waiting_for: 'approval' | 'cooling_off' | 'screening' | null;
  /**
   * Before then the payout is not sent; null where nothing has to be waited for.
   * @example "2026-01-31T09:30:00.000Z"
   */
  send_after: string | null;
  /**
   * Stands for exactly what the payout sends: an approver sends it with the approval. Null for a payout that needs none.
   * @example "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"
   */
  approval_hash: string | null;
  /**
   * How many keys must approve it; null for a payout that needs none.
   * @example 1
   */
  approvals_required: number | null;
  /** The approvals that are there; null for a payout that needs none. */
  approvals: Approval[] | null;
  /**
   * If it is not approved by then, it fails and its money goes back; null for a payout that needs none.
   * @example "2026-01-31T09:30:00.000Z"
   */
  approval_expires_at: string | null;
}

export interface PayoutFailedEvent {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'payout.failed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
}

export interface PayoutFailedEventWithDeliveries {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'payout.failed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
  /** How the event fared at each webhook, oldest webhook first. */
  deliveries: EventDelivery[];
}

export type PayoutMethod = WalletPayoutMethod | BankPayoutMethod;

export interface PayoutMethodDeleteParams {
  /**
   * The owner of a customer's method; left out for the merchant's own.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id?: string | null;
}

export interface PayoutMethodListParams {
  /**
   * Only those of this customer.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id?: string;
  /** Only methods of this kind. */
  type?: 'BANK' | 'WALLET';
  /**
   * Only those in this currency. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
   * @example "USDT"
   */
  currency?: Currency;
  /**
   * Which page, from 1.
   * @example 1
   */
  page?: number;
  /**
   * How many items a page has at most.
   * @example 20
   */
  limit?: number;
}

export interface PayoutMethodPagination {
  /**
   * How many items the whole list has.
   * @example 42
   */
  total: number;
  /**
   * Which page, from 1.
   * @example 1
   */
  page: number;
  /**
   * How many items a page has at most.
   * @example 20
   */
  limit: number;
  /**
   * How many pages there are; 0 for an empty list.
   * @example 3
   */
  totalPages: number;
  /**
   * Whether a page follows.
   * @example true
   */
  hasNextPage: boolean;
  /**
   * Whether a page precedes.
   * @example false
   */
  hasPreviousPage: boolean;
}

export interface PayoutPolicy {
  /**
   * Counts the changes of the policy, from 1; 0 where there is none.
   * @example 3
   */
  version: number;
  /**
   * When this version came into force; null where there is none.
   * @example "2026-01-31T09:30:00.000Z"
   */
  changed_at: string | null;
  /** What may go out at the most; a currency that no limit names does not go out. Null where there is no policy. */
  limits: PolicyLimit[] | null;
  /**
   * How long the first payouts to a new destination wait.
   * @example 3600
   */
  new_destination_wait_seconds: number;
  /** Which payouts need approvals; null where none does. */
  approval: PolicyApproval | null;
}

export interface PayoutReversedEvent {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'payout.reversed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
}

export interface PayoutReversedEventWithDeliveries {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'payout.reversed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTransaction;
  /** How the event fared at each webhook, oldest webhook first. */
  deliveries: EventDelivery[];
}

export interface PersonalDetails {
  /**
   * Given name.
   * @example "Ada"
   */
  first_name: string;
  /**
   * Middle name.
   * @example "Ngozi"
   */
  middle_name: string | null;
  /**
   * Family name.
   * @example "Obi"
   */
  last_name: string;
  /**
   * Date of birth, as midnight UTC.
   * @example "1990-05-17T00:00:00.000Z"
   */
  birth_date: string;
}

export interface PersonalFields {
  /**
   * Given name.
   * @example "Ada"
   */
  first_name?: string;
  /**
   * Middle name.
   * @example "Ngozi"
   */
  middle_name?: string | null;
  /**
   * Family name.
   * @example "Obi"
   */
  last_name?: string;
  /**
   * Date of birth; at least 18 years ago.
   * @example "1990-05-17"
   */
  birth_date?: string;
}

export interface PolicyApproval {
  /** Payouts of more than this need approvals. */
  above: ApprovalAbove[];
  /**
   * Payouts need approvals as long as nothing was ever sent to their destination.
   * @example true
   */
  new_destination: boolean;
  /**
   * Payouts need approvals as long as nothing was ever sent by their rail: bank, or network.
   * @example false
   */
  new_rail: boolean;
  /**
   * How many keys must approve such a payout, none of them that which created it.
   * @example 1
   */
  approvers: number;
  /**
   * After so long a payout that is not approved fails.
   * @example 86400
   */
  expires_after_seconds: number;
}

export interface PolicyLimit {
  /** The currency. */
  currency: Currency;
  /** Of what the limit holds: of all payouts, of those of one customer, or of those to one destination. */
  per: 'merchant' | 'customer' | 'destination';
  /** A payment by itself, or all of the last hour, 24 hours (day) or 30 days (month). */
  within: 'payment' | 'hour' | 'day' | 'month';
  /**
   * The sum of the amounts, without fees; null where only payouts are counted.
   * @example "1000.00000000"
   */
  amount: string | null;
  /**
   * How many payouts; null where only amounts are summed up.
   * @example 20
   */
  count: number | null;
}

export interface PrintedAddress {
  /**
   * First line of the street address.
   * @example "12 Marina Road"
   */
  line_1: string;
  /**
   * Second line of the street address.
   * @example "Floor 3"
   */
  line_2?: string | null;
  /**
   * City or town.
   * @example "Lagos"
   */
  city: string;
  /**
   * State, province or region.
   * @example "Lagos"
   */
  state: string;
  /**
   * Postal code.
   * @example "100221"
   */
  postal_code?: string | null;
  /**
   * English name of the country, or its two-letter code.
   * @example "Nigeria"
   */
  country: string;
}

export interface PrintedBusinessFinances {
  /** How the person earns a living. */
  employment_status?: null;
  /** Latest occupation: an SOC code, printed as its title. */
  most_recent_occupation?: null;
  /**
   * What the account is for.
   * @example "Personal or living expenses"
   */
  account_purpose?: string | null;
  /**
   * Expected income in a month, in local currency: zero or more, at most 2 decimals.
   * @example "2500.50"
   */
  expected_monthly_income?: string | null;
  /**
   * Where the money comes from.
   * @example "Salary"
   */
  source_of_funds?: string | null;
}

export interface Proof {
  /** What kind of document this is, and its version. */
  format: 'stablecoin-ledger-proof/1';
  /**
   * Short identifier of the transaction.
   * @example "K7Q2ZP9X4B"
   */
  transaction_id: string;
  /** The signed checkpoint (c2sp.org/tlog-checkpoint), line feeds included. */
  checkpoint: string;
  /** Whole groups of events, in the order of the log. */
  events: ProvenEvent[];
}

export interface ProvenEvent {
  /**
   * Where the event stands in the log of the shard, counted from 1.
   * @example 1204
   */
  position: number;
  /**
   * The canonical text of the event, less the balance of its account.
   * @example "{\"shard\":0,\"position\":1204}"
   */
  statement: string;
  /** The balance after the event, and what opens the commitment to it; null for accounts of the house. */
  balance: {
    /**
     * The balance after the event; empty where there is none.
     * @example "89.50000000"
     */
    after: string;
    /**
     * What the balance was hashed with.
     * @example "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
     */
    salt: string;
  } | null;
  /**
   * In place of the balance, for accounts of the house: its hash.
   * @example "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
   */
  commitment: string | null;
  /** The hashes beside the way to the root, the nearest first. */
  path: string[];
}

export interface Quote {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** The currency given. */
  from_currency: Currency;
  /** The currency received. */
  to_currency: Currency;
  /**
   * Units of to_currency for one from_currency, spread included.
   * @example "1489.55"
   */
  quoted_price: string;
  /** The currency of the price: to_currency. */
  quoted_currency: Currency;
  /**
   * What is given.
   * @example "10.50000000"
   */
  from_amount: string;
  /**
   * What is received, rounded down to what the currency has.
   * @example "15640.27000000"
   */
  to_amount: string;
  /**
   * Whether the swap was executed.
   * @example false
   */
  confirmed: boolean;
  /**
   * Until when the price is good.
   * @example "2026-01-31T09:30:00.000Z"
   */
  expires_at: string;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /** Who owns the quote: the customer, or the merchant. */
  user: QuoteOwner;
}

export interface QuoteOwner {
  /**
   * The customer's id, or the merchant's own.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * Short serial number of the owner.
   * @example "4XM8T2K9QD"
   */
  sn: string;
  /**
   * E-mail address of the owner.
   * @example "ada@example.com"
   */
  email: string;
  /**
   * A reference to the owner.
   * @example "owner-17"
   */
  reference: string | null;
  /**
   * Given name, or the name of the business.
   * @example "Ada"
   */
  first_name: string;
  /**
   * Family name.
   * @example "Obi"
   */
  last_name: string;
  /**
   * How the owner is called.
   * @example "Ada Obi"
   */
  display_name: string | null;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
}

export interface QuoteParams {
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id?: string | null;
  /**
   * The currency given. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
   * @example "USDT"
   */
  from_currency: Currency;
  /**
   * The currency received. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
   * @example "NGN"
   */
  to_currency: Currency;
  /**
   * An amount as decimal text, positive, at most 8 decimals.
   * @example "10.50"
   */
  amount: string;
}

export interface QuoteRefreshParams {
  /**
   * What the quote was made for; required unless amount says it.
   * @example "10.50"
   */
  from_amount?: string;
  /**
   * Another name of from_amount.
   * @example "10.50"
   */
  amount?: string;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id?: string | null;
  /**
   * The currency given. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
   * @example "USDT"
   */
  from_currency: Currency;
  /**
   * The currency received. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
   * @example "NGN"
   */
  to_currency: Currency;
}

export interface RegisteredAddress {
  /**
   * First line of the street address.
   * @example "12 Marina Road"
   */
  street1: string;
  /**
   * Second line of the street address.
   * @example "Floor 3"
   */
  street2?: string | null;
  /**
   * City or town.
   * @example "Lagos"
   */
  city: string;
  /**
   * State, province or region.
   * @example "Lagos"
   */
  state: string;
  /**
   * Postal code.
   * @example "100221"
   */
  postal_code?: string | null;
  /**
   * Two-letter country code (ISO 3166-1).
   * @example "NG"
   */
  country: string;
}

export interface RotatedWebhook {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * Where events are sent: https, or with a test key http on this machine.
   * @example "https://merchant.example/hooks"
   */
  url: string;
  /**
   * A note of your own.
   * @example "Float for payouts"
   */
  description: string | null;
  /** The types that are sent there; null or left out: all of them. */
  events: WebhookEventType[] | null;
  /** Whether it is sent to; disabled by you, or once it answered 410. */
  status: WebhookStatus;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /**
   * Signs what is sent there: whsec_ and the key in base64. Shown once.
   * @example "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
   */
  secret: string;
  /**
   * Until when the secret before signs beside it.
   * @example "2026-01-31T09:30:00.000Z"
   */
  previous_secret_expires_at: string;
}

export interface SandboxDepositParams {
  /**
   * The wallet in which the deposit arrives; or `currency` in its place.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  wallet_id?: string;
  /**
   * Your own wallet in this currency, and no customer's. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
   * @example "USDT"
   */
  currency?: Currency | null;
  /**
   * An amount as decimal text, positive, at most 8 decimals.
   * @example "10.50"
   */
  amount: string;
  /** Over which of its networks; left out, its first one. */
  network?: Network | null;
  /**
   * A reference of your own; with `sandbox:hold` the deposit stays PENDING until you say what becomes of it.
   * @example "invoice-17"
   */
  reference?: string | null;
}

export type SourceOfFunds =
  | 'BUSINESS_LOANS'
  | 'GRANTS'
  | 'INTER_COMPANY_FUNDS'
  | 'INVESTMENT_PROCEEDS'
  | 'LEGAL_SETTLEMENT'
  | 'OWNERS_CAPITAL'
  | 'PENSION_RETIREMENT'
  | 'SALE_OF_ASSETS'
  | 'SALES_OF_GOODS_AND_SERVICES'
  | 'TAX_REFUND'
  | 'THIRD_PARTY_FUNDS'
  | 'TREASURY_RESERVES'
  | 'ASSETS_SALE'
  | 'BUSINESS_INCOME'
  | 'CASH_DEPOSITS'
  | 'COMPANY_FUNDS'
  | 'ECOMMERCE_RESELLER'
  | 'GAMBLING_PROCEEDS'
  | 'GIFTS'
  | 'GOVERNMENT_BENEFITS'
  | 'INHERITANCE'
  | 'INVESTMENTS_LOANS'
  | 'SALARY'
  | 'SALE_OF_ASSETS_REAL_ESTATE'
  | 'SAVINGS'
  | 'SOMEONE_ELSES_FUNDS';

export interface StatusStep {
  /** In which state it is. */
  status: TransactionStatus;
  /**
   * When the event was recorded.
   * @example "2026-01-31T09:30:00.000Z"
   */
  recorded_at: string;
  /**
   * Where the event stands in the log of the shard, counted from 1.
   * @example 1204
   */
  position: number;
}

export interface SwapCompletedEvent {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'swap.completed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventSwap;
}

export interface SwapCompletedEventWithDeliveries {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'swap.completed';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventSwap;
  /** How the event fared at each webhook, oldest webhook first. */
  deliveries: EventDelivery[];
}

export interface SwapDryRun {
  /** Always true, and left out of the answer to what was done: nothing was written. */
  dry_run: true;
  /** What leaves the wallet in from_currency. */
  debitTransaction: SwapTransactionDryRun;
  /** What arrives in the wallet in to_currency. */
  creditTransaction: SwapTransactionDryRun;
  /**
   * The quote that would be used; it stays open.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  swapId: string;
}

export interface SwapParams {
  /**
   * True: nothing is written and no Idempotency-Key is used; the answer is the one that the request would get now.
   * @example true
   */
  dry_run?: false | null;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id?: string | null;
  /**
   * The currency given. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
   * @example "USDT"
   */
  from_currency: Currency;
  /**
   * The currency received. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
   * @example "NGN"
   */
  to_currency: Currency;
  /**
   * An amount as decimal text, positive, at most 8 decimals.
   * @example "10.50"
   */
  amount: string;
  /**
   * The quote to execute; without it, the latest open one of this owner, pair and amount.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  quote_id?: string | null;
}

export interface SwapTransaction {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * The wallet that the money leaves; null when it comes from outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  sender_wallet_id: string | null;
  /**
   * The wallet that the money reaches; null when it goes outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  receiver_wallet_id: string | null;
  /**
   * Short identifier of the transaction.
   * @example "K7Q2ZP9X4B"
   */
  transaction_id: string;
  /** The currency. */
  asset_code: Currency;
  /**
   * The amount: 8 decimals.
   * @example "10.50000000"
   */
  amount: string;
  /**
   * Groups related transactions; for a swap its swapId.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  reference_id: string;
  /** In which state it is. */
  status: TransactionStatus;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /**
   * The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
   * @example "0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd"
   */
  crypto_transaction_id: string | null;
  /** The blockchain network, in lower case. */
  network: Network | null;
  /** What kind of movement it is. */
  transaction_type: TransactionType;
  /** Whether the wallet gains or gives. */
  transaction_mode: TransactionMode;
  /**
   * The price at which the amount was exchanged or valued.
   * @example "1489.55"
   */
  exchange_rate: string | null;
  /**
   * Who is paid.
   * @example "Ada Obi"
   */
  withdrawal_recipient_name: string | null;
  /**
   * What the payout cost on top of the amount; null: nothing.
   * @example "0.50000000"
   */
  fee: string | null;
  /**
   * The balance of the wallet right after the transaction.
   * @example "89.50000000"
   */
  balance: string;
  /**
   * For payouts, where the money goes.
   * @example "Payout to 0123456789 (058)"
   */
  reason: string | null;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id: string | null;
}

export interface SwapTransactionDryRun {
  /** Null: nothing was recorded. */
  id: null;
  /**
   * The wallet that the money leaves; null when it comes from outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  sender_wallet_id: string | null;
  /**
   * The wallet that the money reaches; null when it goes outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  receiver_wallet_id: string | null;
  /** Null: nothing was recorded. */
  transaction_id: null;
  /** The currency. */
  asset_code: Currency;
  /**
   * The amount: 8 decimals.
   * @example "10.50000000"
   */
  amount: string;
  /** Null: nothing was recorded. */
  reference_id: null;
  /** In which state it is. */
  status: TransactionStatus;
  /** Null: nothing was recorded. */
  created_at: null;
  /** Null: nothing was recorded. */
  updated_at: null;
  /**
   * The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
   * @example "0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd"
   */
  crypto_transaction_id: string | null;
  /** The blockchain network, in lower case. */
  network: Network | null;
  /** What kind of movement it is. */
  transaction_type: TransactionType;
  /** Whether the wallet gains or gives. */
  transaction_mode: TransactionMode;
  /**
   * The price at which the amount was exchanged or valued.
   * @example "1489.55"
   */
  exchange_rate: string | null;
  /**
   * Who is paid.
   * @example "Ada Obi"
   */
  withdrawal_recipient_name: string | null;
  /**
   * What the payout cost on top of the amount; null: nothing.
   * @example "0.50000000"
   */
  fee: string | null;
  /**
   * The balance that the wallet would have right after the transaction.
   * @example "89.50000000"
   */
  balance: string;
  /**
   * For payouts, where the money goes.
   * @example "Payout to 0123456789 (058)"
   */
  reason: string | null;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id: string | null;
}

export interface Transaction {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * The wallet that the money leaves; null when it comes from outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  sender_wallet_id: string | null;
  /**
   * The wallet that the money reaches; null when it goes outside.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  receiver_wallet_id: string | null;
  /**
   * Short identifier of the transaction.
   * @example "K7Q2ZP9X4B"
   */
  transaction_id: string;
  /** The currency. */
  asset_code: Currency;
  /**
   * The amount: 8 decimals.
   * @example "10.50000000"
   */
  amount: string;
  /**
   * Groups related transactions; for a swap its swapId.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  reference_id: string;
  /** In which state it is. */
  status: TransactionStatus;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /**
   * The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
   * @example "0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd"
   */
  crypto_transaction_id: string | null;
  /** The blockchain network, in lower case. */
  network: Network | null;
  /** What kind of movement it is. */
  transaction_type: TransactionType;
  /** Whether the wallet gains or gives. */
  transaction_mode: TransactionMode;
  /**
   * The price at which the amount was exchanged or valued.
   * @example "1489.55"
   */
  exchange_rate: string | null;
  /**
   * Who is paid.
   * @example "Ada Obi"
   */
  withdrawal_recipient_name: string | null;
  /**
   * What the payout cost on top of the amount; null: nothing.
   * @example "0.50000000"
   */
  fee: string | null;
  /**
   * The balance of the wallet right after the latest event of the transaction.
   * @example "89.50000000"
   */
  balance: string;
  /**
   * For payouts, where the money goes.
   * @example "Payout to 0123456789 (058)"
   */
  reason: string | null;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id: string | null;
  /** Currency of the account that is paid; left out, that of the payout if fiat, else USD. */
  recipient_currency: Currency | null;
  /**
   * Country of the account that is paid.
   * @example "Nigeria"
   */
  recipient_country: string | null;
  /**
   * Name of the bank.
   * @example "First Bank"
   */
  bank_name: string | null;
  /**
   * Code of the bank.
   * @example "058"
   */
  bank_code: string | null;
  /**
   * Number of the account that is paid.
   * @example "0123456789"
   */
  bank_account: string | null;
  /**
   * The address that is paid.
   * @example "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
   */
  address: string | null;
  /** Where people look at that transaction; null for one that is on no chain. */
  explorer_url: string | null;
  /**
   * Of a PENDING deposit on an EVM network that is looked up by itself: the block that it is in, and those after it. Else null, and while the chain is not known.
   * @example 3
   */
  confirmations: number | null;
  /**
   * With how many of them it is credited; null where that is when its network calls the block final.
   * @example 12
   */
  confirmations_required: number | null;
  /** Why a PENDING payout is not sent yet: `approval`, until enough other keys have approved it; `cooling_off`, until its destination has been known for long enough; `screening`, while its recipient is under review, told where it is looked up by itself. Else null. */
  waiting_for: 'approval' | 'cooling_off' | 'screening' | null;
  /**
   * Before then the payout is not sent; null where nothing has to be waited for.
   * @example "2026-01-31T09:30:00.000Z"
   */
  send_after: string | null;
  /**
   * Stands for exactly what the payout sends: an approver sends it with the approval. Null for a payout that needs none.
   * @example "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"
   */
  approval_hash: string | null;
  /**
   * How many keys must approve it; null for a payout that needs none.
   * @example 1
   */
  approvals_required: number | null;
  /** The approvals that are there; null for a payout that needs none. */
  approvals: Approval[] | null;
  /**
   * If it is not approved by then, it fails and its money goes back; null for a payout that needs none.
   * @example "2026-01-31T09:30:00.000Z"
   */
  approval_expires_at: string | null;
}

export interface TransactionExplanation {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * Short identifier of the transaction.
   * @example "K7Q2ZP9X4B"
   */
  transaction_id: string;
  /**
   * Groups related transactions; for a swap its swapId.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  reference_id: string;
  /** What kind of movement it is. */
  transaction_type: TransactionType;
  /** Whether the wallet gains or gives. */
  transaction_mode: TransactionMode;
  /** The currency. */
  asset_code: Currency;
  /**
   * Its amount.
   * @example "10.50000000"
   */
  amount: string;
  /**
   * What the payout cost on top of the amount; null: nothing.
   * @example "0.50000000"
   */
  fee: string | null;
  /**
   * The quote behind a swap; null for all else.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  quote_id: string | null;
  /**
   * What the bank or chain calls it, once it does.
   * @example "BANK-REF-4711"
   */
  rail_reference: string | null;
  /** The states it has gone through, in order. */
  statuses: StatusStep[];
  /**
   * Size of the newest checkpoint; null until one covers all of its events.
   * @example 1204
   */
  checkpoint_size: number | null;
  /** Its events, in whole groups, in the order of the log. */
  events: ExplainedEvent[];
}

export interface TransactionListParams {
  /** Only those in this currency. */
  currency?: Currency;
  /**
   * Last day, UTC, included; not before start_date.
   * @example "2026-01-31"
   */
  end_date?: string;
  /**
   * Only those of this customer.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id?: string;
  /**
   * A part of transaction_id or id, in any case; % and _ mean themselves.
   * @example "K7Q2"
   */
  search?: string;
  /** Only those in this state. */
  status?: TransactionStatus;
  /**
   * Only the one with this short identifier.
   * @example "K7Q2ZP9X4B"
   */
  transaction_id?: string;
  /** What kind of movement it is. */
  transaction_type?: TransactionType;
  /** Whether the wallet gains or gives. */
  transaction_mode?: TransactionMode;
  /** Only payouts that wait for this. */
  waiting_for?: 'approval' | 'cooling_off';
  /**
   * First day, UTC, included.
   * @example "2026-01-01"
   */
  start_date?: string;
  /**
   * Which page, from 1.
   * @example 1
   */
  page?: number;
  /**
   * How many items a page has at most.
   * @example 20
   */
  limit?: number;
}

export type TransactionMode = 'CREDIT' | 'DEBIT';

export type TransactionStatus = 'PENDING' | 'COMPLETED' | 'REVERSED' | 'FAILED';

export type TransactionType = 'DEPOSIT' | 'PAYOUT' | 'INTERNAL TRANSFER';

export interface ValidationError {
  /** Always error. */
  status: 'error';
  /** Always validation_failed. */
  code: 'validation_failed';
  /**
   * The same in a sentence for people.
   * @example "Some of the request is not valid; correct the fields named in errors."
   */
  message: string;
  /** Every field that was refused, all at once. */
  errors: FieldError[];
  /**
   * The x-request-id of this response.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  request_id: string;
}

export interface Wallet {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** Whether it is national currency or a stablecoin. */
  asset_type: AssetType;
  /** The currency. */
  currency: Currency;
  /**
   * What the wallet holds and can spend: 8 decimals. Below zero only by deposits that were reversed.
   * @example "10.50000000"
   */
  balance: string;
  /**
   * A note of your own.
   * @example "Float for payouts"
   */
  description: string;
  /** In which state it is. */
  status: 'active';
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id: string | null;
  /** Deposit addresses, oldest first; none for fiat. */
  addresses: DepositAddress[];
}

export interface WalletListParams {
  /**
   * Wallets of this customer; without it the merchant's own.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id?: string;
  /** Only the wallet in this currency. */
  currency?: Currency;
  /**
   * Which page, from 1.
   * @example 1
   */
  page?: number;
  /**
   * How many items a page has at most.
   * @example 20
   */
  limit?: number;
}

export interface WalletParams {
  /**
   * A note of your own.
   * @example "Float for payouts"
   */
  description?: string | null;
  /** The currency. */
  currency: Currency;
  /**
   * Whose wallet: a customer's, or without it the merchant's own.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id?: string | null;
  /** For stablecoins: the network of the deposit address. Fiat wallets have none. */
  network?: Network | null;
}

export interface WalletPayoutMethod {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What kind of method it is. */
  type: 'WALLET';
  /** The currency. */
  currency: Currency;
  /**
   * A name of your own for it.
   * @example "Cold wallet"
   */
  label: string | null;
  /**
   * The address to pay to; its checksum is checked.
   * @example "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
   */
  wallet_address: string;
  /** The blockchain network, in lower case. */
  network: Network;
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id: string | null;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
}

export interface WalletPayoutMethodParams {
  /** What kind of method it is. */
  type?: 'WALLET';
  /**
   * The address to pay to; its checksum is checked.
   * @example "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
   */
  wallet_address: string;
  /** The blockchain network, in lower case. */
  network: Network;
  /**
   * The currency. One of USDC, USDT, in any case.
   * @example "USDT"
   */
  currency: 'USDC' | 'USDT';
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id?: string | null;
  /**
   * A name of your own for it.
   * @example "Cold wallet"
   */
  label?: string | null;
}

export interface WalletPayoutParams {
  /**
   * The customer that it belongs to or concerns; null or left out: the merchant itself.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  customer_id?: string | null;
  /**
   * The currency. One of USDC, USDT, in any case.
   * @example "USDT"
   */
  currency: 'USDC' | 'USDT';
  /**
   * The address to pay to; its checksum is checked.
   * @example "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
   */
  address: string;
  /**
   * The amount, as decimal text or as a number of at most 15 digits.
   * @example "10.50"
   */
  amount: string;
  /** The blockchain network, in lower case. */
  network: Network;
  /**
   * Who is paid.
   * @example "Ada Obi"
   */
  recipient_name?: string | null;
  /**
   * True: nothing is written and no Idempotency-Key is used; the answer is the one that the request would get now.
   * @example true
   */
  dry_run?: false | null;
}

export interface Webhook {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /**
   * Where events are sent: https, or with a test key http on this machine.
   * @example "https://merchant.example/hooks"
   */
  url: string;
  /**
   * A note of your own.
   * @example "Float for payouts"
   */
  description: string | null;
  /** The types that are sent there; null or left out: all of them. */
  events: WebhookEventType[] | null;
  /** Whether it is sent to; disabled by you, or once it answered 410. */
  status: WebhookStatus;
  /**
   * When it was created.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * When it was last changed.
   * @example "2026-01-31T09:30:00.000Z"
   */
  updated_at: string;
}

export type WebhookEventType =
  | 'customer.created'
  | 'customer.updated'
  | 'customer.closed'
  | 'deposit.pending'
  | 'deposit.completed'
  | 'deposit.failed'
  | 'deposit.reversed'
  | 'swap.completed'
  | 'payout.approval_required'
  | 'payout.completed'
  | 'payout.failed'
  | 'payout.reversed';

export interface WebhookListParams {
  /**
   * Which page, from 1.
   * @example 1
   */
  page?: number;
  /**
   * How many items a page has at most.
   * @example 20
   */
  limit?: number;
}

export interface WebhookParams {
  /**
   * Where events are sent: https, or with a test key http on this machine.
   * @example "https://merchant.example/hooks"
   */
  url: string;
  /** The types that are sent there; null or left out: all of them. */
  events?: WebhookEventType[] | null;
  /**
   * A note of your own.
   * @example "Float for payouts"
   */
  description?: string | null;
}

export type WebhookStatus = 'enabled' | 'disabled';

export interface WebhookTest {
  /**
   * The event.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  event_id: string;
  /** How the test went; queued: there is no answer yet, the event tells later. */
  outcome: 'delivered' | 'failed' | 'queued';
  /**
   * The HTTP status of the last answer.
   * @example 200
   */
  response_status: number | null;
  /** Why the last attempt was not a success. */
  error: DeliveryError | null;
}

export interface WebhookTestEvent {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'webhook.test';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTest;
}

export interface WebhookTestEventWithDeliveries {
  /**
   * Identifies the resource.
   * @example "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
   */
  id: string;
  /** What happened. */
  type: 'webhook.test';
  /**
   * When it happened.
   * @example "2026-01-31T09:30:00.000Z"
   */
  created_at: string;
  /**
   * Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
   * @example 1
   */
  sequence: number;
  /** The resource as it was then: ids, states and amounts, never personal data. */
  data: EventTest;
  /** How the event fared at each webhook, oldest webhook first. */
  deliveries: EventDelivery[];
}

export interface WebhookUpdateParams {
  /**
   * Where events are sent: https, or with a test key http on this machine.
   * @example "https://merchant.example/hooks"
   */
  url?: string;
  /** The types that are sent there; null: all of them; left out: as before. */
  events?: WebhookEventType[] | null;
  /**
   * A note of your own.
   * @example "Float for payouts"
   */
  description?: string | null;
  /** Whether it is sent to. What happens while it is disabled is not sent later. */
  status?: WebhookStatus;
}

/** Every event by its type. */
export interface EventByType {
  /** A customer was registered. */
  'customer.created': CustomerCreatedEvent;
  /** A customer, or how far its review has come, was changed. */
  'customer.updated': CustomerUpdatedEvent;
  /** A customer was closed. */
  'customer.closed': CustomerClosedEvent;
  /** A deposit was seen: it can be spent once it is final. */
  'deposit.pending': DepositPendingEvent;
  /** A deposit can be spent. */
  'deposit.completed': DepositCompletedEvent;
  /** A deposit that was seen did not become final: no money has moved. */
  'deposit.failed': DepositFailedEvent;
  /** A completed deposit is gone: its money is out of the wallet, which can be below zero by it. */
  'deposit.reversed': DepositReversedEvent;
  /** Both sides of a swap are settled. */
  'swap.completed': SwapCompletedEvent;
  /** A payout waits until another key approves it, with its money held. */
  'payout.approval_required': PayoutApprovalRequiredEvent;
  /** A payout arrived. */
  'payout.completed': PayoutCompletedEvent;
  /** A payout failed: its money is back in the wallet. */
  'payout.failed': PayoutFailedEvent;
  /** A completed payout came back: its money is in the wallet again. */
  'payout.reversed': PayoutReversedEvent;
  /** You asked for a test of this webhook. */
  'webhook.test': WebhookTestEvent;
}
