import { CustomerView } from '@stablecoin/contracts/customer/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { businessChanges, individualChanges, UpdateBusinessBody, UpdateIndividualBody } from './customer-updates';
import { presentCustomer } from '@stablecoin/merchant-resources/customers/customer.presenter';

/** The value as it is sent: without undefined fields. */
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const individual = (body: unknown) => wire(individualChanges(validateRequest(UpdateIndividualBody, body)));
const business = (body: unknown) => wire(businessChanges(validateRequest(UpdateBusinessBody, body)));

function problemsOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return ((error as Refusal).fields ?? []).map(({ field, code }) => `${field}: ${code}`);
  }
}

const at = '2026-01-02T03:04:05.678Z';
const id = '5b7e2f0e-1111-4222-8333-444455556666';
const address = { street1: '1 Marina', street2: null, city: 'Lagos', state: 'LA', postal_code: null, country: 'NG' };
const printed = { line_1: '1 Marina', line_2: null, city: 'Lagos', state: 'LA', postal_code: null, country: 'Nigeria' };

describe('changes to an individual', () => {
  it.each([
    ['nothing', {}, {}],
    ['a field of the create body', { first_name: ' Ada ', email: 'a@b.co' }, { first_name: 'Ada', email: 'a@b.co' }],
    [
      'null clears',
      { middle_name: null, tax_identification_number: null },
      { middle_name: null, tax_identification_number: null },
    ],
    ['the printed address', { address: printed }, { registered_address: address }],
    ['the printed address with a code', { address: { ...printed, country: 'NG' } }, { registered_address: address }],
    ['the address as an update answers with it', { address }, { registered_address: address }],
    [
      'an empty text, which clears',
      { middle_name: ' ', tax_identification_number: '' },
      { middle_name: null, tax_identification_number: null },
    ],
    ['the address of the create body', { registered_address: address }, { registered_address: address }],
    [
      'personal_info',
      { personal_info: { last_name: 'Obi' }, first_name: 'Ada' },
      { last_name: 'Obi', first_name: 'Ada' },
    ],
    ['a midnight as birth date', { birth_date: '1990-02-28T00:00:00.000Z' }, { birth_date: '1990-02-28' }],
    ['a code', { account_purpose: 'PAYROLL' }, { account_purpose: 'PAYROLL' }],
    [
      'a readable text',
      { source_of_funds: 'Sale of assets real estate' },
      { source_of_funds: 'SALE_OF_ASSETS_REAL_ESTATE' },
    ],
    [
      'an occupation by its title',
      { most_recent_occupation: 'General and operations managers' },
      { most_recent_occupation: '111021' },
    ],
    [
      'financial_info in readable texts',
      { financial_info: { employment_status: 'Self employed', expected_monthly_income: '10' } },
      { employment_status: 'SELF_EMPLOYED', expected_monthly_income: '10.00' },
    ],
    ['read-only fields', { id, status: 'active', kyc_status: 'approved', created_at: at, updated_at: at }, {}],
  ])('%s', (_name, body, changes) => {
    expect(individual(body)).toEqual(changes);
  });

  it.each([
    [{ address: printed, registered_address: address }, ['address: conflicting_fields']],
    [{ address: { ...printed, country: 'Atlantis' } }, ['address.country: invalid_country']],
    [{ address: { ...address, country: 'Nigeria' } }, ['address.country: invalid_country']],
    [{ address: { ...address, line_1: 'a' } }, ['address.line_1: unknown_field']],
    [{ address: {} }, ['address.line_1', 'address.city', 'address.state', 'address.country']],
    [{ address: null }, ['address: required']],
    [{ personal_info: { first_name: 'A' }, first_name: 'B' }, ['personal_info: conflicting_fields']],
    [{ financial_info: { account_purpose: 'payroll' } }, ['financial_info.account_purpose: invalid_choice']],
    [{ birth_date: '1990-02-28T01:00:00.000Z' }, ['birth_date: invalid_date']],
    [{ first_name: null, email: null }, ['first_name', 'email']],
    [{ customer_type: 'business' }, ['customer_type: invalid_choice']],
    [{ business_info: {} }, ['business_info: unknown_field']],
    [{ documents: [], user_documents: [] }, ['user_documents: conflicting_fields']],
    [{ documents: [{ doc_type: 'OTHER', doc_image: 'x' }] }, ['documents.0.doc_image: invalid_document']],
  ])('refuses %j', (body, problems) => {
    const found = problemsOf(() => individual(body));
    expect(found).toHaveLength(problems.length);
    problems.forEach((problem) =>
      expect(found).toContainEqual(expect.stringContaining(problem.split(':')[0] as string)),
    );
  });
});

it('reads no text as an object of its characters', () => {
  const entries = jest.spyOn(Object, 'entries');
  const body = { personal_info: 'a'.repeat(95_000), financial_info: 'a' };
  expect(problemsOf(() => individual(body))).toHaveLength(2);
  expect(entries.mock.calls.filter(([value]) => typeof value === 'string')).toEqual([]);
  entries.mockRestore();
});

describe('changes to a business', () => {
  it.each([
    ['nothing', {}, {}],
    [
      'a text that is the print of a code',
      { account_purpose: 'Operating a company' },
      { account_purpose: 'OPERATING_A_COMPANY' },
    ],
    ['a free text', { source_of_funds: 'Sales, mostly' }, { source_of_funds: 'Sales, mostly' }],
    [
      'business_info',
      { business_info: { business_name: 'Obi' }, email: 'a@b.co' },
      { business_name: 'Obi', email: 'a@b.co' },
    ],
    ['no address', { address: null }, { registered_address: null }],
    [
      'null finances',
      { financial_info: { account_purpose: null, employment_status: null } },
      { account_purpose: null },
    ],
  ])('%s', (_name, body, changes) => {
    expect(business(body)).toEqual(changes);
  });

  it.each([
    [{ personal_info: { first_name: 'Ada' } }, ['personal_info.first_name: not_applicable']],
    [{ financial_info: { employment_status: 'Employed' } }, ['financial_info.employment_status: not_applicable']],
    [{ business_info: { business_name: 'A' }, business_name: 'B' }, ['business_info: conflicting_fields']],
  ])('refuses %j', (body, problems) => {
    expect(problemsOf(() => business(body))).toEqual(problems);
  });
});

describe('the fields that a look-up returns', () => {
  const common = {
    id,
    email: 'ada@example.com',
    phone: '+2348012345678',
    status: 'active',
    kyc_status: 'approved',
  } as const;
  const times = { created_at: at, updated_at: at };

  it('can all be sent back for an individual', () => {
    const view: CustomerView = {
      ...common,
      ...times,
      customer_type: 'individual',
      address,
      personal_info: { first_name: 'Ada', middle_name: null, last_name: 'Obi', birth_date: '1990-02-28' },
      financial_info: {
        account_purpose: 'OTHER',
        employment_status: 'OTHER',
        expected_monthly_income: '0.00',
        most_recent_occupation: '15124X',
        source_of_funds: 'SOMEONE_ELSES_FUNDS',
      },
      business_info: null,
    };
    const { email, phone, customer_type, personal_info, financial_info } = view;
    expect(individual(wire(presentCustomer(view)))).toEqual({
      email,
      phone,
      customer_type,
      ...personal_info,
      ...financial_info,
      registered_address: address,
    });
  });

  it('can all be sent back for a business', () => {
    const view: CustomerView = {
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
        source_of_funds: null,
      },
      business_info: { business_name: 'Obi Ltd', business_type: null, business_website: 'https://obi.example.com' },
    };
    const { email, phone, customer_type, business_info } = view;
    expect(business(wire(presentCustomer(view)))).toEqual({
      email,
      phone,
      customer_type,
      ...business_info,
      registered_address: null,
      account_purpose: 'OPERATING_A_COMPANY',
      expected_monthly_income: null,
      source_of_funds: null,
    });
  });
});
