import { countryName } from '@stablecoin/contracts/customer/reference-tables/countries';
import { isOccupationCode, occupationTitle } from '@stablecoin/contracts/customer/reference-tables/occupations';
import { AddressView, CustomerView } from '@stablecoin/contracts/customer/views';
import { printedText } from './printed-text';

/** As lists and look-ups print a customer: line_1 …, the country's name, personal_info for businesses too. */
export function presentCustomer(view: CustomerView) {
  return {
    ...commonFieldsOf(view),
    address: view.address && printedAddress(view.address),
    personal_info: personalInfoOf(view) ?? { first_name: null, middle_name: null, last_name: null, birth_date: null },
    financial_info: financialInfoOf(view),
    ...(view.business_info && { business_info: businessInfoOf(view.business_info) }),
    ...timesOf(view),
  };
}

/** As create and update print a customer: the address in the shape of the request. */
export function presentChangedCustomer(view: CustomerView) {
  const { account_purpose, expected_monthly_income, source_of_funds } = financialInfoOf(view);
  const details = view.business_info
    ? {
        financial_info: { account_purpose, expected_monthly_income, source_of_funds },
        business_info: businessInfoOf(view.business_info),
      }
    : { personal_info: personalInfoOf(view), financial_info: financialInfoOf(view) };
  return {
    ...commonFieldsOf(view),
    address: view.address && registeredAddress(view.address),
    ...details,
    ...timesOf(view),
  };
}

function commonFieldsOf({ id, customer_type, email, phone, status, kyc_status }: CustomerView) {
  return { id, customer_type, email, phone, status, kyc_status };
}

const timesOf = ({ created_at, updated_at }: CustomerView) => ({ created_at, updated_at });

function printedAddress({ street1, street2, city, state, postal_code, country }: AddressView) {
  return { line_1: street1, line_2: street2, city, state, postal_code, country: countryName(country) ?? country };
}

function registeredAddress({ street1, street2, city, state, postal_code, country }: AddressView) {
  return { street1, street2, city, state, postal_code, country };
}

function personalInfoOf({ personal_info }: CustomerView) {
  if (!personal_info) return null;
  const { first_name, middle_name, last_name, birth_date } = personal_info;
  return { first_name, middle_name, last_name, birth_date: `${birth_date}T00:00:00.000Z` };
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

function businessInfoOf({
  business_name,
  business_type,
  business_website,
}: NonNullable<CustomerView['business_info']>) {
  return { business_name, business_type, business_website };
}

const printed = (code: string | null) => code && printedText(code);
const occupation = (code: string | null) => (code && isOccupationCode(code) ? occupationTitle(code) : code);
