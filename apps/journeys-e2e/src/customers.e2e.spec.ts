import { randomUUID } from 'node:crypto';
import { individual, PNG, uniqueEmail, uniquePhone } from '@stablecoin/testing/person';
import { Client, dataOf, fieldErrorsOf, refusalOf } from './client';
import { covers } from './covers';
import { newClient } from './merchants';
import { ADDRESSES, business, createBusiness, createIndividual, openWallet } from './people';
import { Customer, InnerEnvelope, TIMESTAMP, UUID } from './resources';

const base64 = (bytes: string | Buffer) => Buffer.from(bytes).toString('base64');
const document = (doc_image: string) => ({ doc_type: 'valid_ids', sub_type: 'front', doc_image, doc_country: 'NG' });

let merchant: Client;

beforeAll(async () => {
  merchant = await newClient();
});

describe('an individual customer', () => {
  covers(
    'POST /individual-customers',
    'GET /customers/{customerId}',
    'PUT /individual-customers/{customerId}',
    'Resource: customer',
    'Resource: address, both shapes',
  );

  const body = individual({ first_name: 'Zoë', middle_name: 'Ngozi', last_name: "O'Neill" });
  const common = {
    id: UUID,
    customer_type: 'individual',
    email: body.email,
    phone: body.phone,
    status: 'active',
    kyc_status: 'approved',
    personal_info: {
      first_name: 'Zoë',
      middle_name: 'Ngozi',
      last_name: "O'Neill",
      birth_date: '1990-05-17T00:00:00.000Z',
    },
    financial_info: {
      account_purpose: 'Personal or living expenses',
      employment_status: 'Self employed',
      expected_monthly_income: '2500.50',
      most_recent_occupation: 'Computer programmers',
      source_of_funds: 'Salary',
    },
    created_at: TIMESTAMP,
    updated_at: TIMESTAMP,
  };
  const registered = {
    street1: '12 Marina Road',
    street2: null,
    city: 'Lagos',
    state: 'Lagos',
    postal_code: '100221',
    country: 'NG',
  };
  const printed = {
    line_1: '12 Marina Road',
    line_2: null,
    city: 'Lagos',
    state: 'Lagos',
    postal_code: '100221',
    country: 'Nigeria',
  };
  let customer: Customer;

  it('is created with 201, the address as it was sent', async () => {
    const answer = await merchant.post<Customer>('/individual-customers', body);
    expect([answer.status, answer.body]).toEqual([
      201,
      { status: 'success', data: { ...common, address: registered } },
    ]);
    customer = answer.body.data;
  });

  it('is read with the other shape of the address', async () => {
    const answer = await merchant.get<Customer>(`/customers/${customer.id}`);
    expect([answer.status, answer.body]).toEqual([
      200,
      { status: 'success', data: { ...common, id: customer.id, address: printed } },
    ]);
  });

  it('can be put back as it was read', async () => {
    const read = await dataOf(merchant.get<Customer>(`/customers/${customer.id}`));
    const put = await dataOf(merchant.put<Customer>(`/individual-customers/${customer.id}`, read));
    expect(put).toEqual({ ...common, id: customer.id, address: registered });
    const again = await dataOf(merchant.get<Customer>(`/customers/${customer.id}`));
    expect(again).toEqual({ ...read, updated_at: TIMESTAMP });
  });

  it('can be put back as an update answered, whose address has the other shape', async () => {
    const answered = await dataOf(merchant.put<Customer>(`/individual-customers/${customer.id}`, {}));
    const put = await dataOf(merchant.put<Customer>(`/individual-customers/${customer.id}`, answered));
    expect(put).toEqual({ ...answered, updated_at: TIMESTAMP });
  });

  it('is left as it is by an empty update', async () => {
    const before = await dataOf(merchant.get<Customer>(`/customers/${customer.id}`));
    await dataOf(merchant.put(`/individual-customers/${customer.id}`, {}));
    expect(await dataOf(merchant.get<Customer>(`/customers/${customer.id}`))).toEqual({
      ...before,
      updated_at: TIMESTAMP,
    });
  });

  it.each([
    ['a field at top level', { first_name: 'Ada' }, { personal_info: { first_name: 'Ada' } }],
    ['a field in its group', { personal_info: { first_name: 'Bea' } }, { personal_info: { first_name: 'Bea' } }],
    ['null, which clears', { middle_name: null }, { personal_info: { middle_name: null } }],
    ['an empty text, which clears', { middle_name: ' ' }, { personal_info: { middle_name: null } }],
    ['a code', { source_of_funds: 'GIFTS' }, { financial_info: { source_of_funds: 'Gifts' } }],
    ['a readable text', { source_of_funds: 'Salary' }, { financial_info: { source_of_funds: 'Salary' } }],
    [
      'an occupation by its title',
      { most_recent_occupation: 'Actors' },
      { financial_info: { most_recent_occupation: 'Actors' } },
    ],
    ['an income as text', { expected_monthly_income: '10' }, { financial_info: { expected_monthly_income: '10.00' } }],
    [
      'the printed address',
      { address: { ...printed, city: 'Ikeja' } },
      { address: { street1: '12 Marina Road', city: 'Ikeja', country: 'NG' } },
    ],
    [
      'a birth date as midnight',
      { birth_date: '1991-01-02T00:00:00.000Z' },
      { personal_info: { birth_date: '1991-01-02T00:00:00.000Z' } },
    ],
  ])('is updated by %s', async (_what, change, expected) => {
    expect(await dataOf(merchant.put(`/individual-customers/${customer.id}`, change))).toMatchObject(expected);
  });

  it.each([
    ['both addresses', { address: printed, registered_address: registered }, 'address'],
    ['null for what it needs', { last_name: null }, 'last_name'],
    ['another type', { customer_type: 'business' }, 'customer_type'],
    ['a minor', { birth_date: yearsAgo(17) }, 'birth_date'],
  ])('is not updated by %s', async (_what, change, field) => {
    const errors = await fieldErrorsOf(merchant.put(`/individual-customers/${customer.id}`, change));
    expect(Object.keys(errors)).toEqual([field]);
  });
});

describe('a create is refused for', () => {
  covers('POST /individual-customers', 'Rules: what text, amounts and dates may be');

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['a missing name', { first_name: undefined }, { first_name: 'required' }],
    ['a name of 51 characters', { last_name: 'x'.repeat(51) }, { last_name: 'invalid_text' }],
    ['a zero-width space', { first_name: 'A\u200Bda' }, { first_name: 'invalid_text' }],
    ['a lone surrogate', { first_name: 'A\uD800' }, { first_name: 'invalid_text' }],
    ['a control character', { first_name: 'A\u0000' }, { first_name: 'invalid_text' }],
    ['no email', { email: 'ada' }, { email: 'invalid_email' }],
    ['a phone without +', { phone: '2348012345678' }, { phone: 'invalid_phone' }],
    ['a day that is none', { birth_date: '2000-02-31' }, { birth_date: 'invalid_date' }],
    ['a minor', { birth_date: yearsAgo(17) }, { birth_date: 'too_young' }],
    ['an unknown purpose', { account_purpose: 'personal' }, { account_purpose: 'invalid_choice' }],
    ['an unknown occupation', { most_recent_occupation: '000000' }, { most_recent_occupation: 'invalid_choice' }],
    ['a negative income', { expected_monthly_income: -1 }, { expected_monthly_income: 'invalid_amount' }],
    ['an income with 3 decimals', { expected_monthly_income: '1.005' }, { expected_monthly_income: 'invalid_amount' }],
    [
      'an unassigned country',
      { registered_address: { street1: 'a', city: 'b', state: 'c', country: 'XX' } },
      { 'registered_address.country': 'invalid_country' },
    ],
    [
      'an address without a city',
      { registered_address: { street1: 'a', state: 'c', country: 'NG' } },
      { 'registered_address.city': 'required' },
    ],
    ['a list as address', { registered_address: [] }, { registered_address: 'invalid_object' }],
    ['an unknown field', { nickname: 'x' }, { nickname: 'unknown_field' }],
    ['two at once', { email: 'x', phone: 'y' }, { email: 'invalid_email', phone: 'invalid_phone' }],
  ])('%s', async (_what, changes, expected) => {
    expect(await fieldErrorsOf(merchant.post('/individual-customers', individual(changes)))).toEqual(expected);
  });

  it('nothing when it comes of age today, in UTC', async () => {
    await createIndividual(merchant, { birth_date: yearsAgo(18) });
  });
});

describe('documents', () => {
  covers('Resource: document');

  it.each([
    ['a PNG', [document(PNG)]],
    ['a JPEG', [document(`data:image/jpeg;base64,${base64(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2]))}`)]],
    [
      'a PDF without sub_type',
      [{ doc_type: 'BANK_STATEMENT', doc_image: `data:application/pdf;base64,${base64('%PDF-1.7\n')}` }],
    ],
    ['a link', [document('https://files.example.com/passport.png')]],
  ])('can be %s', async (_what, documents) => {
    await createIndividual(merchant, { documents });
  });

  it('are taken as user_documents too, and added by an update', async () => {
    const { id } = await createIndividual(merchant, { user_documents: [document(PNG)] });
    await dataOf(merchant.put(`/individual-customers/${id}`, { documents: [document(PNG)] }));
  });

  it.each([
    ['text', document('passport'), 'invalid_document'],
    ['http', document('http://files.example.com/passport.png'), 'invalid_document'],
    ['SVG', document(`data:image/svg+xml;base64,${base64('<svg/>')}`), 'invalid_document'],
    ['a PNG that is none', document(`data:image/png;base64,${base64('%PDF-1.7\n')}`), 'invalid_document'],
    ['base64 with a line feed', document(`${PNG}\n`), 'invalid_document'],
    [
      'more than 5 MiB',
      document(`data:image/png;base64,${base64(Buffer.alloc(5 * 1024 * 1024 + 1))}`),
      'document_too_large',
    ],
  ])('can not be %s', async (_what, wrong, code) => {
    const errors = await fieldErrorsOf(merchant.post('/individual-customers', individual({ documents: [wrong] })));
    expect(errors).toEqual({ 'documents.0.doc_image': code });
  });

  it('can be 5 MiB large', async () => {
    const png = Buffer.concat([Buffer.from(PNG.split(',')[1] ?? '', 'base64'), Buffer.alloc(5 * 1024 * 1024)]).subarray(
      0,
      5 * 1024 * 1024,
    );
    await createIndividual(merchant, { documents: [document(`data:image/png;base64,${base64(png)}`)] });
  });
});

describe('email and phone', () => {
  covers('POST /individual-customers', 'PUT /individual-customers/{customerId}');

  it('are one customer’s alone, whatever the case of the email', async () => {
    const taken = await createIndividual(merchant);
    await refusalOf(
      merchant.post('/individual-customers', individual({ email: taken.email.toUpperCase() })),
      409,
      'email_taken',
    );
    await refusalOf(merchant.post('/individual-customers', individual({ phone: taken.phone })), 409, 'phone_taken');
    await refusalOf(merchant.post('/business-customers', business({ email: taken.email })), 409, 'email_taken');
    const other = await createIndividual(merchant);
    await refusalOf(merchant.put(`/individual-customers/${other.id}`, { email: taken.email }), 409, 'email_taken');
    await refusalOf(merchant.put(`/individual-customers/${other.id}`, { phone: taken.phone }), 409, 'phone_taken');
  });

  it('are free again once they were changed, and stay a closed customer’s', async () => {
    const first = await createIndividual(merchant);
    await dataOf(merchant.put(`/individual-customers/${first.id}`, { email: uniqueEmail(), phone: uniquePhone() }));
    const second = await createIndividual(merchant, { email: first.email, phone: first.phone });
    await dataOf(merchant.post(`/customers/${second.id}/close`));
    await refusalOf(merchant.post('/individual-customers', individual({ email: first.email })), 409, 'email_taken');
  });

  it('may be those of another merchant’s customer', async () => {
    const { email, phone } = await createIndividual(merchant);
    await createIndividual(await newClient(), { email, phone });
  });
});

describe('a business customer', () => {
  covers(
    'POST /business-customers',
    'PUT /business-customers/{customerId}',
    'Resource: customer',
    'Resource: business owner',
  );

  const info = { business_name: 'Marina Traders Ltd', business_type: null, business_website: null };
  const changed = (body: { email: string; phone: string }) => ({
    id: UUID,
    customer_type: 'business',
    email: body.email,
    phone: body.phone,
    status: 'active',
    kyc_status: 'approved',
    address: null,
    financial_info: { account_purpose: null, expected_monthly_income: null, source_of_funds: null },
    business_info: info,
    created_at: TIMESTAMP,
    updated_at: TIMESTAMP,
  });

  it('is created from name, email and phone', async () => {
    const body = business();
    const answer = await merchant.post<Customer>('/business-customers', body);
    expect([answer.status, answer.body]).toEqual([201, { status: 'success', data: changed(body) }]);
  });

  it('is read with four nulls as its person', async () => {
    const body = business();
    const { id } = await dataOf(merchant.post<Customer>('/business-customers', body), 201);
    expect(await dataOf(merchant.get(`/customers/${id}`))).toEqual({
      ...changed(body),
      personal_info: { first_name: null, middle_name: null, last_name: null, birth_date: null },
      financial_info: {
        account_purpose: null,
        employment_status: null,
        expected_monthly_income: null,
        most_recent_occupation: null,
        source_of_funds: null,
      },
    });
  });

  it('takes every field there is in an update', async () => {
    const { id } = await createBusiness(merchant);
    const owner = {
      first_name: 'Ada',
      last_name: 'Obi',
      email: uniqueEmail(),
      phone_number: uniquePhone(),
      date_of_birth: '1980-01-01',
      relationship_establishment_date: '2015-06-01',
      ownership_percentage: 62.5,
      is_control_person: true,
      is_signer: true,
      is_beneficial_owner: true,
      title: 'Director',
      address: { street1: '1 Broad Street', city: 'Lagos', state: 'Lagos', postal_code: '101', country: 'NG' },
      id_number: 'A123',
      nationality: 'NG',
      front_image: 'https://files.example.com/front.png',
      back_image: 'https://files.example.com/back.png',
      supporting_documents: [document(PNG)],
    };
    const update = {
      customer_type: 'business',
      business_name: 'Marina Group Ltd',
      business_type: 'LIMITED_LIABILITY_COMPANY',
      business_website: 'https://marina.example.com',
      email: uniqueEmail(),
      phone: uniquePhone(),
      phone_country_code: '+234',
      account_purpose: 'OPERATING_A_COMPANY',
      account_purpose_explanation: 'Trade,\nimport and export',
      source_of_funds: 'SALES_OF_GOODS_AND_SERVICES',
      expected_monthly_income: 100000,
      expected_monthly_payments_usd: 5000,
      estimated_annual_revenue_usd: 'HUNDRED_THOUSAND_TO_MILLION',
      industry: '523910',
      registered_address: {
        street1: '12 Marina Road',
        street2: 'Floor 3',
        city: 'Lagos',
        state: 'Lagos',
        postal_code: '100221',
        country: 'NG',
      },
      trading_name: 'Marina',
      nature_of_business: 'Trade',
      contact_person_email: uniqueEmail(),
      contact_person_phone: uniquePhone(),
      operates_in_prohibited_countries: false,
      is_dao: false,
      conducts_money_services: false,
      registration_number: 'RC 123456',
      registration_date: '2015-06-01',
      tax_identification_number: '12345678-0001',
      business_owners: [owner],
      documents: [document(PNG)],
    };
    expect(await dataOf(merchant.put(`/business-customers/${id}`, update))).toEqual({
      ...changed(update),
      address: update.registered_address,
      financial_info: {
        account_purpose: 'Operating a company',
        expected_monthly_income: '100000.00',
        source_of_funds: 'Sales of goods and services',
      },
      business_info: {
        business_name: 'Marina Group Ltd',
        business_type: 'LIMITED_LIABILITY_COMPANY',
        business_website: 'https://marina.example.com',
      },
    });
    const answered = await dataOf(merchant.put<Customer>(`/business-customers/${id}`, {}));
    await dataOf(merchant.put(`/business-customers/${id}`, answered));
    const read = await dataOf(merchant.get<Customer>(`/customers/${id}`));
    await dataOf(merchant.put(`/business-customers/${id}`, read));
    expect(await dataOf(merchant.get(`/customers/${id}`))).toEqual({ ...read, updated_at: TIMESTAMP });
  });

  it('needs the endpoint of its type', async () => {
    const [person, firm] = [await createIndividual(merchant), await createBusiness(merchant)];
    await refusalOf(
      merchant.put(`/individual-customers/${firm.id}`, { first_name: 'A' }),
      409,
      'customer_type_mismatch',
    );
    await refusalOf(
      merchant.put(`/business-customers/${person.id}`, { business_name: 'A' }),
      409,
      'customer_type_mismatch',
    );
  });

  it.each([
    ['no name', { business_name: undefined }, { business_name: 'required' }],
    ['an industry of five digits', { industry: '12345' }, { industry: 'invalid_industry' }],
    [
      'an owner without a name',
      { business_owners: [{ first_name: 'A' }] },
      { 'business_owners.0.last_name': 'required' },
    ],
    ['a website that is no URL', { business_website: 'marina' }, { business_website: 'invalid_url' }],
  ])('is not created with %s', async (_what, changes, expected) => {
    expect(await fieldErrorsOf(merchant.post('/business-customers', business(changes)))).toEqual(expected);
  });
});

describe('closing a customer', () => {
  covers('POST /customers/{customerId}/close', 'States: customer');

  it('waits until no money is left, and is then for good', async () => {
    const { id: customer_id } = await createIndividual(merchant);
    const wallet = await openWallet(merchant, { customer_id, currency: 'USD' }, '10');
    const bank = {
      customer_id,
      currency: 'USD',
      account_number: '0123450009',
      bank_code: '011',
      recipient_name: 'Ada',
    };
    await refusalOf(merchant.post(`/customers/${customer_id}/close`), 409, 'customer_not_empty');
    const payout = await dataOf(merchant.post<{ id: string }>('/payouts/banks', { ...bank, amount: '10' }));
    await refusalOf(merchant.post(`/customers/${customer_id}/close`), 409, 'customer_not_empty');
    await dataOf(merchant.post(`/sandbox/payouts/${payout.id}/complete`));

    expect(await dataOf(merchant.post(`/customers/${customer_id}/close`))).toMatchObject({
      id: customer_id,
      status: 'closed',
    });
    expect(await dataOf(merchant.post(`/customers/${customer_id}/close`))).toMatchObject({ status: 'closed' });
    expect(await dataOf(merchant.get(`/customers/${customer_id}`))).toMatchObject({ status: 'closed' });

    const pair = { customer_id, from_currency: 'USD', to_currency: 'NGN', amount: '1' };
    const address = { customer_id, currency: 'USDT', network: 'erc20' };
    const changes: [string, string, unknown][] = [
      ['PUT', `/individual-customers/${customer_id}`, { first_name: 'A' }],
      ['POST', '/wallets', { customer_id, currency: 'NGN' }],
      ['POST', '/sandbox/deposits', { wallet_id: wallet.id, amount: '1' }],
      ['POST', '/instant-swaps', pair],
      ['POST', '/swaps', pair],
      ['POST', '/payouts/banks', { ...bank, amount: '1' }],
      ['POST', '/payouts/wallets', { ...address, address: ADDRESSES.erc20, amount: 1 }],
      ['POST', '/payout/methods/wallets', { ...address, wallet_address: ADDRESSES.erc20 }],
      ['POST', '/payout/methods/banks', { customer_id, currency: 'USD', account_number: '0123', bank_code: '1' }],
    ];
    for (const [method, path, body] of changes) {
      const answer = await merchant.send(method, path, body);
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 422, 'customer_closed']);
    }
  });

  it('also ends the quotes', async () => {
    const { id: customer_id } = await createIndividual(merchant);
    const pair = { customer_id, from_currency: 'USD', to_currency: 'NGN' };
    const { data: quote } = await dataOf(merchant.post<InnerEnvelope>('/instant-swaps', { ...pair, amount: '1' }));
    await dataOf(merchant.post(`/customers/${customer_id}/close`));
    await refusalOf(merchant.post(`/swaps/${quote.id}/refresh`, { ...pair, from_amount: '1' }), 422, 'customer_closed');
  });
});

describe('GET /customers', () => {
  covers('GET /customers', 'Rules: limits of lists, and their order');

  let own: Client;
  let person: Customer;
  let firm: Customer;

  beforeAll(async () => {
    own = await newClient();
    person = await createIndividual(own);
    firm = await createBusiness(own);
    await dataOf(own.post(`/customers/${firm.id}/close`));
  });

  it('lists the newest first, 20 to a page', async () => {
    const { body } = await own.get<Customer[]>('/customers');
    expect(Object.keys(body)).toEqual(['status', 'data', 'pagination']);
    expect(body.data.map(({ id }) => id)).toEqual([firm.id, person.id]);
    expect(body.pagination).toEqual({ total: 2, page: 1, limit: 20, totalPages: 1 });
  });

  it('pages', async () => {
    const { body } = await own.get<Customer[]>('/customers?page=2&limit=1');
    expect(body.data.map(({ id }) => id)).toEqual([person.id]);
    expect(body.pagination).toEqual({ total: 2, page: 2, limit: 1, totalPages: 2 });
  });

  it('filters', async () => {
    const found = async (query: Record<string, string>) => {
      const listed = await dataOf(own.get<Customer[]>(`/customers?${new URLSearchParams(query).toString()}`));
      return listed.map(({ id }) => (id === person.id ? 'person' : 'firm'));
    };
    expect(await found({ status: 'active' })).toEqual(['person']);
    expect(await found({ status: 'closed' })).toEqual(['firm']);
    expect(await found({ customer_type: 'business' })).toEqual(['firm']);
    expect(await found({ search: person.email.toUpperCase() })).toEqual(['person']);
    expect(await found({ search: person.phone })).toEqual(['person']);
    expect(await found({ search: firm.id })).toEqual(['firm']);
    expect(await found({ search: randomUUID() })).toEqual([]);
    expect(await found({ search: person.email.slice(1) })).toEqual([]);
  });

  it('of a merchant without customers is an empty list of no pages', async () => {
    const { body } = await (await newClient()).get('/customers');
    expect(body).toEqual({ status: 'success', data: [], pagination: { total: 0, page: 1, limit: 20, totalPages: 0 } });
  });
});

function yearsAgo(years: number): string {
  const now = new Date();
  const then = new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate()));
  return then.toISOString().slice(0, 10);
}
