import { isDeepStrictEqual } from 'node:util';
import {
  BusinessFields,
  BusinessOwner,
  CreateBusinessCustomer,
} from '@stablecoin/contracts/customer/business-customer';
import { CreateIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { AddressView, CustomerType } from '@stablecoin/contracts/customer/views';
import { MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';

/**
 * All personal and KYC data of a customer, the text of one sealed column. Fields are those of the requests; what was
 * not given, or cleared, is null.
 */
export type CustomerProfile = IndividualProfile | BusinessProfile;

type NotOfTheProfile = keyof MerchantCommand | 'key_mode' | 'customer_type' | 'documents';
type Complete<Fields> = { [Field in keyof Fields]-?: Exclude<Fields[Field], undefined> };

export type IndividualProfile = { customer_type: 'individual' } & Complete<
  Omit<CreateIndividualCustomer, NotOfTheProfile>
>;

export type BusinessProfile = { customer_type: 'business' } & Complete<
  Omit<CreateBusinessCustomer, NotOfTheProfile | 'business_owners'>
> & { business_owners: StoredBusinessOwner[] | null };

/** An owner's documents are kept beside those of the business; the profile names them by id. */
export type StoredBusinessOwner = Omit<BusinessOwner, 'supporting_documents'> & { supporting_documents: string[] };

/** What an update changes: absent keeps, null clears. */
export type ProfileChanges<Profile> = Partial<Omit<Profile, 'customer_type'>>;

export type BusinessRequestFields = Omit<BusinessFields, NotOfTheProfile>;

export function newIndividualProfile(request: CreateIndividualCustomer): IndividualProfile {
  return {
    customer_type: 'individual',
    first_name: request.first_name,
    middle_name: request.middle_name ?? null,
    last_name: request.last_name,
    email: request.email,
    phone: request.phone,
    phone_country_code: request.phone_country_code ?? null,
    birth_date: request.birth_date,
    account_purpose: request.account_purpose,
    account_purpose_explanation: request.account_purpose_explanation ?? null,
    employment_status: request.employment_status,
    expected_monthly_income: request.expected_monthly_income,
    expected_monthly_payments_usd: request.expected_monthly_payments_usd ?? null,
    most_recent_occupation: request.most_recent_occupation,
    source_of_funds: request.source_of_funds,
    acting_as_intermediary: request.acting_as_intermediary ?? false,
    tax_identification_number: request.tax_identification_number ?? null,
    registered_address: request.registered_address,
  };
}

export function newBusinessProfile(
  request: CreateBusinessCustomer,
  owners: StoredBusinessOwner[] | null,
): BusinessProfile {
  return {
    customer_type: 'business',
    business_name: request.business_name,
    business_type: request.business_type ?? null,
    business_website: request.business_website ?? null,
    email: request.email,
    phone: request.phone,
    phone_country_code: request.phone_country_code ?? null,
    account_purpose: request.account_purpose ?? null,
    account_purpose_explanation: request.account_purpose_explanation ?? null,
    source_of_funds: request.source_of_funds ?? null,
    expected_monthly_income: request.expected_monthly_income ?? null,
    expected_monthly_payments_usd: request.expected_monthly_payments_usd ?? null,
    estimated_annual_revenue_usd: request.estimated_annual_revenue_usd ?? null,
    industry: request.industry ?? null,
    registered_address: request.registered_address ?? null,
    trading_name: request.trading_name ?? null,
    nature_of_business: request.nature_of_business ?? null,
    contact_person_email: request.contact_person_email ?? null,
    contact_person_phone: request.contact_person_phone ?? null,
    operates_in_prohibited_countries: request.operates_in_prohibited_countries ?? null,
    is_dao: request.is_dao ?? null,
    conducts_money_services: request.conducts_money_services ?? null,
    registration_number: request.registration_number ?? null,
    registration_date: request.registration_date ?? null,
    tax_identification_number: request.tax_identification_number ?? null,
    business_owners: owners,
  };
}

/** The profile with the given changes; a field that is undefined in them stays as it is. */
export function changedProfile<Profile extends CustomerProfile>(
  profile: Profile,
  changes: ProfileChanges<Profile>,
): Profile {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...profile, ...Object.fromEntries(given) };
}

/**
 * What a review has established of a customer: who it is, and in which country. Everything else (contacts, finances, the
 * rest of an address) changes without another review. What is missing counts as null, as in profiles of older versions.
 */
function identityOf(profile: CustomerProfile): object {
  const tax_id = profile.tax_identification_number ?? null;
  const country = profile.registered_address?.country ?? null;
  if (profile.customer_type === 'individual') {
    const { first_name, middle_name, last_name, birth_date } = profile;
    return { tax_id, country, names: [first_name, middle_name ?? null, last_name], birth_date };
  }
  const { business_name, registration_number, registration_date, business_owners } = profile;
  const registration = [registration_number ?? null, registration_date ?? null];
  return { tax_id, country, business_name, registration, owners: (business_owners ?? []).map(identityOfOwner) };
}

const identityOfOwner = (owner: StoredBusinessOwner): object => ({
  names: [owner.first_name, owner.last_name],
  birth_date: owner.date_of_birth ?? null,
  nationality: owner.nationality ?? null,
  id_number: owner.id_number ?? null,
  country: owner.address?.country ?? null,
});

/** Whether a review of the one holds for the other. */
export const isSameIdentity = (one: CustomerProfile, other: CustomerProfile): boolean =>
  isDeepStrictEqual(identityOf(one), identityOf(other));

/** Each name by which a list may know the customer or an owner of the business, each once. */
export function namesToScreen(profile: CustomerProfile): string[] {
  if (profile.customer_type === 'individual') {
    const { first_name, middle_name, last_name } = profile;
    const names = [`${first_name} ${last_name}`, `${first_name} ${middle_name ?? ''} ${last_name}`];
    return middle_name ? names : names.slice(0, 1);
  }
  const { business_name, trading_name, business_owners } = profile;
  const owners = (business_owners ?? []).map(({ first_name, last_name }) => `${first_name} ${last_name}`);
  return [...new Set([business_name, ...(trading_name ? [trading_name] : []), ...owners])];
}

export function nameOf(profile: CustomerProfile): { first_name: string; last_name: string; display_name: string } {
  if (profile.customer_type === 'business') {
    return { first_name: profile.business_name, last_name: '', display_name: profile.business_name };
  }
  const { first_name, last_name } = profile;
  return { first_name, last_name, display_name: `${first_name} ${last_name}` };
}

export function addressOf(profile: CustomerProfile): AddressView | null {
  const address = profile.registered_address;
  if (!address) return null;
  const { street1, street2, city, state, postal_code, country } = address;
  return { street1, street2: street2 ?? null, city, state, postal_code: postal_code ?? null, country };
}

export const isOfType = <Type extends CustomerType>(
  profile: CustomerProfile,
  type: Type,
): profile is Extract<CustomerProfile, { customer_type: Type }> => profile.customer_type === type;
