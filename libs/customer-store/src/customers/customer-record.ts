import { CustomerStatus, CustomerType, CustomerView, KycStatus } from '@stablecoin/contracts/customer/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Reads, Sql } from '@stablecoin/persistence/sql';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { PersonalData } from '../personal-data';
import { addressOf, CustomerProfile } from './customer-profile';
import { KEYS_IN_USE } from '../keys-in-use';

/** A customer's row with its wrapped data key. A customer whose key is gone was erased: there is no row then. */
export interface CustomerRow {
  id: string;
  merchant_id: string;
  customer_type: CustomerType;
  status: CustomerStatus;
  kyc_status: KycStatus;
  sn: string;
  sealed_profile: string;
  wrapped_key: string;
  /** How many events the customer has had. */
  event_sequence: number;
  created_at: Date;
  updated_at: Date;
}

/** A customer whose personal data has been opened. */
export interface OpenCustomer {
  row: Omit<CustomerRow, 'sealed_profile' | 'wrapped_key'>;
  profile: CustomerProfile;
  seal: OwnerSeal;
}

export const PROFILE = 'profile';

/** One merchant's customer who was not erased. @throws Refusal `not_found`, also for another merchant's */
export async function findCustomer(sql: Reads, merchantId: string, customerId: string): Promise<CustomerRow> {
  const [row] = await sql.$queryRaw<CustomerRow[]>`
    SELECT id, merchant_id, customer_type, status, kyc_status, sn, sealed_profile, wrapped_key, event_sequence,
           created_at, updated_at
    FROM customers JOIN ${KEYS_IN_USE} ON owner_id = id
    WHERE merchant_id = ${merchantId}::uuid AND id = ${customerId}::uuid`;
  if (!row) throw new Refusal('not_found');
  return row;
}

/** The same, held against other changes until the transaction ends. */
export async function lockCustomer(sql: Sql, merchantId: string, customerId: string): Promise<CustomerRow> {
  await sql.$queryRaw`
    SELECT 1 FROM customers WHERE merchant_id = ${merchantId}::uuid AND id = ${customerId}::uuid FOR UPDATE`;
  return findCustomer(sql, merchantId, customerId);
}

export async function openCustomer(row: CustomerRow, personalData: PersonalData): Promise<OpenCustomer> {
  return openedWith(await personalData.sealOf(row.id, row.wrapped_key), row);
}

export const openedWith = (seal: OwnerSeal, row: CustomerRow): OpenCustomer => ({
  row,
  profile: seal.open<CustomerProfile>(PROFILE, row.sealed_profile),
  seal,
});

export function customerView({ row, profile }: Pick<OpenCustomer, 'row' | 'profile'>): CustomerView {
  const individual = profile.customer_type === 'individual' ? profile : undefined;
  const business = profile.customer_type === 'business' ? profile : undefined;
  return {
    id: row.id,
    customer_type: profile.customer_type,
    email: profile.email,
    phone: profile.phone,
    status: row.status,
    kyc_status: row.kyc_status,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    address: addressOf(profile),
    personal_info: individual
      ? {
          first_name: individual.first_name,
          middle_name: individual.middle_name,
          last_name: individual.last_name,
          birth_date: individual.birth_date,
        }
      : null,
    financial_info: {
      account_purpose: profile.account_purpose,
      employment_status: individual?.employment_status ?? null,
      expected_monthly_income: profile.expected_monthly_income,
      most_recent_occupation: individual?.most_recent_occupation ?? null,
      source_of_funds: profile.source_of_funds,
    },
    business_info: business
      ? {
          business_name: business.business_name,
          business_type: business.business_type,
          business_website: business.business_website,
        }
      : null,
  };
}
