import { createBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { CustomerView } from '@stablecoin/contracts/customer/views';
import { AT, call, keyOf, outcome, problems, standIns, useGateway } from '../../testing/gateway-fixture';

useGateway();

const contact = { email: 'ada@example.com', phone: '+2348012345678' };
const person = {
  ...contact,
  first_name: 'Ada',
  last_name: 'Obi',
  birth_date: '1990-05-17',
  account_purpose: 'PAYROLL',
  employment_status: 'EMPLOYED',
  expected_monthly_income: 2500,
  most_recent_occupation: '132011',
  source_of_funds: 'SALARY',
  registered_address: { street1: '1 Marina Road', city: 'Lagos', state: 'LA', country: 'NG' },
};
const businessView: CustomerView = {
  ...contact,
  id: '77777777-7777-4777-8777-777777777777',
  customer_type: 'business',
  status: 'active',
  kyc_status: 'not_started',
  created_at: AT,
  updated_at: AT,
  address: null,
  personal_info: null,
  financial_info: {
    account_purpose: null,
    employment_status: null,
    expected_monthly_income: null,
    most_recent_occupation: null,
    source_of_funds: null,
  },
  business_info: { business_name: 'Obi Trading', business_type: null, business_website: null },
};
const personView: CustomerView = {
  ...businessView,
  customer_type: 'individual',
  personal_info: { first_name: 'Ada', middle_name: null, last_name: 'Obi', birth_date: '1990-05-17' },
  business_info: null,
};
const REGISTRATIONS = [
  ['/api/individual-customers', createIndividualCustomer, person, personView],
  ['/api/business-customers', createBusinessCustomer, { ...contact, business_name: 'Obi Trading' }, businessView],
] as const;

describe.each(REGISTRATIONS)('POST %s', (path, operation, body, view) => {
  beforeEach(() => standIns.on<object, object>(operation, () => ({ result: view, replayed: false })));

  it.each(['test', 'live'] as const)('sends the mode of a %s key', async (mode) => {
    const key = keyOf({ mode });
    expect((await call('POST', path, body, { 'x-api-key': key })).status).toBe(201);
    expect(standIns.requestsTo(operation)).toEqual([expect.objectContaining({ key_mode: mode })]);
  });

  it('takes no mode from the merchant', async () => {
    const key = keyOf({ mode: 'live' });
    const answer = await call(
      'POST',
      path,
      { ...body, key_mode: 'test', kyc_status: 'approved' },
      { 'x-api-key': key },
    );
    expect(problems(answer).sort()).toEqual(['key_mode: unknown_field', 'kyc_status: unknown_field']);
    expect(standIns.requestsTo(operation)).toEqual([]);
  });
});

it('a business whose fields exceed a message on the bus is refused as too large, and not as worth a retry', async () => {
  standIns.on<object, object>(createBusinessCustomer, () => ({ result: businessView, replayed: false }));
  const link = { doc_type: 'REGISTER', doc_image: `https://example.com/${'a'.repeat(2_000)}` };
  const owner = { first_name: 'Ada', last_name: 'Obi', supporting_documents: Array<object>(10).fill(link) };
  const business = { ...contact, business_name: 'Obi Trading', business_owners: Array<object>(50).fill(owner) };
  expect(outcome(await call('POST', '/api/business-customers', business))).toEqual([413, 'payload_too_large']);
  expect(standIns.requestsTo(createBusinessCustomer)).toEqual([]);
});
