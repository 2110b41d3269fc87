import { countryName } from '@stablecoin/contracts/customer/reference-tables/countries';
import { isOccupationCode, occupationTitle } from '@stablecoin/contracts/customer/reference-tables/occupations';
import { AddressView, CUSTOMER_STATUSES, CustomerView, KYC_STATUSES } from '@stablecoin/contracts/customer/views';
import {
  always,
  eitherOf,
  matching,
  nothing,
  nullable,
  object,
  oneOf,
  ResponseOf,
  resource,
  text,
  timestamp,
  uuid,
} from '@stablecoin/http-answers/response-schema';
import { readableCode } from './readable-codes';

const RECORD_FIELDS = {
  id: uuid,
  email: text,
  phone: matching(/^\+[1-9]\d{1,14}$/, '+2348012345678'),
  status: oneOf(CUSTOMER_STATUSES),
  kyc_status: oneOf(KYC_STATUSES),
  created_at: timestamp,
  updated_at: timestamp,
};
const PERSONAL_INFO = resource('PersonalDetails', {
  first_name: text,
  middle_name: nullable(text),
  last_name: text,
  birth_date: matching(/^\d{4}-\d{2}-\d{2}T00:00:00\.000Z$/, '1990-05-17T00:00:00.000Z'),
});
const NO_PERSON = object({ first_name: nothing, middle_name: nothing, last_name: nothing, birth_date: nothing });
const BUSINESS_FINANCES = {
  account_purpose: nullable(text),
  expected_monthly_income: nullable(matching(/^\d+\.\d{2}$/, '2500.50')),
  source_of_funds: nullable(text),
};
const FINANCIAL_INFO = resource('FinancialDetails', {
  ...BUSINESS_FINANCES,
  employment_status: nullable(text),
  most_recent_occupation: nullable(text),
});
const BUSINESS_INFO = resource('BusinessDetails', {
  business_name: text,
  business_type: nullable(text),
  business_website: nullable(text),
});
const PLACE_FIELDS = { city: text, state: text, postal_code: nullable(text), country: text };
const PRINTED_ADDRESS = resource('CustomerAddress', { line_1: text, line_2: nullable(text), ...PLACE_FIELDS });
const REQUEST_ADDRESS = resource('CustomerRegisteredAddress', {
  street1: text,
  street2: nullable(text),
  ...PLACE_FIELDS,
});

const INDIVIDUAL = { ...RECORD_FIELDS, customer_type: always('individual'), personal_info: PERSONAL_INFO };
const BUSINESS = { ...RECORD_FIELDS, customer_type: always('business'), business_info: BUSINESS_INFO };
const LISTED = { address: nullable(PRINTED_ADDRESS), financial_info: FINANCIAL_INFO };

/** As lists and look-ups print a customer: line_1 …, the country's name, personal_info for businesses too. */
export const CUSTOMER = eitherOf('Customer', 'customer_type', {
  individual: resource('IndividualCustomer', { ...INDIVIDUAL, ...LISTED }),
  business: resource('BusinessCustomer', { ...BUSINESS, ...LISTED, personal_info: NO_PERSON }),
});

/** As create and update print a customer: the address in the shape of the request. */
export const CHANGED_INDIVIDUAL = resource('ChangedIndividualCustomer', {
  ...INDIVIDUAL,
  address: nullable(REQUEST_ADDRESS),
  financial_info: FINANCIAL_INFO,
});
export const CHANGED_BUSINESS = resource('ChangedBusinessCustomer', {
  ...BUSINESS,
  address: nullable(REQUEST_ADDRESS),
  financial_info: object(BUSINESS_FINANCES),
});
export function presentCustomer(view: CustomerView): ResponseOf<typeof CUSTOMER> {
  const record = {
    ...recordOf(view),
    address: view.address && printedAddress(view.address),
    financial_info: financialInfoOf(view),
  };
  if (!view.business_info) return { ...record, ...personOf(view) };
  const personal_info = { first_name: null, middle_name: null, last_name: null, birth_date: null };
  return { ...record, ...businessOf(view), personal_info };
}

export function presentChangedIndividual(view: CustomerView): ResponseOf<typeof CHANGED_INDIVIDUAL> {
  return { ...changedRecordOf(view), ...personOf(view), financial_info: financialInfoOf(view) };
}

export function presentChangedBusiness(view: CustomerView): ResponseOf<typeof CHANGED_BUSINESS> {
  const { account_purpose, expected_monthly_income, source_of_funds } = financialInfoOf(view);
  const financial_info = { account_purpose, expected_monthly_income, source_of_funds };
  return { ...changedRecordOf(view), ...businessOf(view), financial_info };
}

function recordOf({ id, email, phone, status, kyc_status, created_at, updated_at }: CustomerView) {
  return { id, email, phone, status, kyc_status, created_at, updated_at };
}

function changedRecordOf(view: CustomerView) {
  return { ...recordOf(view), address: view.address && registeredAddress(view.address) };
}

function businessOf({ business_info }: CustomerView) {
  if (!business_info) throw new Error('a business without business_info');
  const { business_name, business_type, business_website } = business_info;
  return { customer_type: 'business' as const, business_info: { business_name, business_type, business_website } };
}

function personOf({ personal_info }: CustomerView) {
  if (!personal_info) throw new Error('a person without personal_info');
  const { first_name, middle_name, last_name, birth_date } = personal_info;
  return {
    customer_type: 'individual' as const,
    personal_info: { first_name, middle_name, last_name, birth_date: `${birth_date}T00:00:00.000Z` },
  };
}

function printedAddress({ street1, street2, city, state, postal_code, country }: AddressView) {
  return { line_1: street1, line_2: street2, city, state, postal_code, country: countryName(country) ?? country };
}

function registeredAddress({ street1, street2, city, state, postal_code, country }: AddressView) {
  return { street1, street2, city, state, postal_code, country };
}

function financialInfoOf({ financial_info }: CustomerView) {
  return {
    account_purpose: printed(financial_info.account_purpose),
    employment_status: printed(financial_info.employment_status),
    expected_monthly_income: financial_info.expected_monthly_income,
    most_recent_occupation: occupation(financial_info.most_recent_occupation),
    source_of_funds: printed(financial_info.source_of_funds),
  };
}

const printed = (code: string | null) => code && readableCode(code);
const occupation = (code: string | null) => (code && isOccupationCode(code) ? occupationTitle(code) : code);
