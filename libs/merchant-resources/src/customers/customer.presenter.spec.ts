import { CustomerView } from '@stablecoin/contracts/customer/views';
import { presentChangedBusiness, presentChangedIndividual, presentCustomer } from './customer.presenter';

const at = '2026-01-02T03:04:05.678Z';
const common = {
  id: 'c1',
  email: 'ada@example.com',
  phone: '+2348012345678',
  status: 'active',
  kyc_status: 'approved',
} as const;
const times = { created_at: at, updated_at: at };
const address = { street1: '1 Marina', street2: null, city: 'Lagos', state: 'LA', postal_code: null, country: 'NG' };
const listed = { line_1: '1 Marina', line_2: null, city: 'Lagos', state: 'LA', postal_code: null, country: 'Nigeria' };

const individual: CustomerView = {
  ...common,
  ...times,
  customer_type: 'individual',
  address,
  personal_info: { first_name: 'Ada', middle_name: null, last_name: 'Obi', birth_date: '1990-02-28' },
  financial_info: {
    account_purpose: 'PERSONAL_OR_LIVING_EXPENSES',
    employment_status: 'SELF_EMPLOYED',
    expected_monthly_income: '2500.00',
    most_recent_occupation: '111021',
    source_of_funds: 'SALARY',
  },
  business_info: null,
};
const business: CustomerView = {
  ...common,
  ...times,
  customer_type: 'business',
  address: null,
  personal_info: null,
  financial_info: {
    account_purpose: 'OPERATING_A_COMPANY',
    employment_status: null,
    expected_monthly_income: null,
    most_recent_occupation: null,
    source_of_funds: 'Sales, mostly',
  },
  business_info: { business_name: 'Obi Ltd', business_type: 'LIMITED_LIABILITY_COMPANY', business_website: null },
};

const person = { first_name: 'Ada', middle_name: null, last_name: 'Obi', birth_date: '1990-02-28T00:00:00.000Z' };
const finances = {
  account_purpose: 'Personal or living expenses',
  employment_status: 'Self employed',
  expected_monthly_income: '2500.00',
  most_recent_occupation: 'General and operations managers',
  source_of_funds: 'Salary',
};
const businessFinances = {
  account_purpose: 'Operating a company',
  expected_monthly_income: null,
  source_of_funds: 'Sales, mostly',
};

describe('customer presenter', () => {
  it('prints an individual in lists and look-ups', () => {
    expect(presentCustomer(individual)).toEqual({
      ...common,
      ...times,
      customer_type: 'individual',
      address: listed,
      personal_info: person,
      financial_info: finances,
    });
  });

  it('prints an individual after create and update', () => {
    expect(presentChangedIndividual(individual)).toEqual({
      ...common,
      ...times,
      customer_type: 'individual',
      address,
      personal_info: person,
      financial_info: finances,
    });
  });

  it('prints a business in lists and look-ups', () => {
    expect(presentCustomer(business)).toEqual({
      ...common,
      ...times,
      customer_type: 'business',
      address: null,
      personal_info: { first_name: null, middle_name: null, last_name: null, birth_date: null },
      financial_info: { ...businessFinances, employment_status: null, most_recent_occupation: null },
      business_info: business.business_info,
    });
  });

  it('prints a business after create and update', () => {
    expect(presentChangedBusiness(business)).toEqual({
      ...common,
      ...times,
      customer_type: 'business',
      address: null,
      financial_info: businessFinances,
      business_info: business.business_info,
    });
  });

  it('prints no business as an individual, and no individual as a business', () => {
    expect(() => presentChangedIndividual(business)).toThrow('a person without personal_info');
    expect(() => presentChangedBusiness(individual)).toThrow('a business without business_info');
  });
});
