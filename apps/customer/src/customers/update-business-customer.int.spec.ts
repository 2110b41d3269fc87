import { createBusinessCustomer, updateBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { updateIndividualCustomer } from '@stablecoin/contracts/customer/update-individual-customer';
import { commandOf } from '@stablecoin/testing/command-of';
import { business, refusalOf, RunningCustomer } from '../testing/running-service';

const ADDRESS = { street1: '2 Broad Street', city: 'Lagos', state: 'LA', postal_code: '100001', country: 'NG' };

describe('business customers', () => {
  let service: RunningCustomer;
  let merchant: string;

  beforeAll(async () => {
    service = await RunningCustomer.start();
    merchant = await service.newMerchant();
  });
  afterAll(() => service.stop());

  const created = async (fields: object = {}) =>
    (await service.ask(createBusinessCustomer, commandOf(business(merchant, fields)))).result;
  const update = async (customer_id: string, fields: object) =>
    (await service.ask(updateBusinessCustomer, commandOf({ merchant_id: merchant, customer_id, ...fields }))).result;

  it('needs no more than a name, an e-mail address and a phone number', async () => {
    const customer = await created();
    expect(customer).toMatchObject({
      customer_type: 'business',
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
    });
  });

  it('is updated field by field; the address can be cleared', async () => {
    const before = await created({ registered_address: ADDRESS, business_type: 'LIMITED_LIABILITY_COMPANY' });
    expect(before.address).toEqual({ ...ADDRESS, street2: null });
    const after = await update(before.id, {
      registered_address: null,
      account_purpose: 'OPERATING_A_COMPANY',
      expected_monthly_income: 7,
    });
    expect(after.address).toBeNull();
    expect(after.business_info).toEqual(before.business_info);
    expect(after.financial_info).toMatchObject({
      account_purpose: 'OPERATING_A_COMPANY',
      expected_monthly_income: '7.00',
    });
    expect(await update(before.id, {})).toEqual(after);
  });

  it("adds documents, its own and its owners', and keeps what is not sent", async () => {
    const document = { doc_type: 'OTHER', url: 'https://files.example.com/deed.pdf' };
    const owner = {
      first_name: 'Uche',
      last_name: 'Obi',
      ownership_percentage: 60.5,
      supporting_documents: [document],
    };
    const customer = await created({ documents: [document], business_owners: [owner] });
    await update(customer.id, { documents: [document] });
    const [stored] = await service.sql<{ n: number }>(
      'SELECT count(*)::int AS n FROM documents WHERE customer_id = $1',
      [customer.id],
    );
    expect(stored?.n).toBe(3);
  });

  it('is not from the future, neither made nor changed so', async () => {
    const wrong = { registration_date: '9999-12-31' };
    await expect(created(wrong)).rejects.toMatchObject({ code: 'validation_failed' });
    const { id } = await created();
    await expect(update(id, wrong)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('can be without all that is optional, and keeps what it needs', async () => {
    const { id } = await created({ business_type: 'LLC', industry: '523910', is_dao: true });
    const optional = [
      'business_type',
      'business_website',
      'industry',
      'is_dao',
      'registered_address',
      'business_owners',
    ];
    expect((await update(id, Object.fromEntries(optional.map((name) => [name, null])))).business_info).toEqual({
      business_name: 'Obi Trading',
      business_type: null,
      business_website: null,
    });
    for (const name of ['business_name', 'email', 'phone']) {
      expect(await refusalOf(update(id, { [name]: null }))).toBe(`${name}: required`);
    }
  });

  it.each([
    ['owners', { business_owners: Array.from({ length: 51 }, () => ({ first_name: 'A', last_name: 'B' })) }],
    ['documents', { documents: Array.from({ length: 21 }, () => ({ doc_type: 'OTHER', url: 'https://a.co/b' })) }],
  ])('has a bounded number of %s', async (_what, fields) => {
    const [name] = Object.keys(fields);
    expect(await refusalOf(created(fields))).toBe(`${name}: invalid_list`);
  });

  it('is not an individual', async () => {
    const { id } = await created();
    const asIndividual = commandOf({ merchant_id: merchant, customer_id: id, first_name: 'Ada' });
    expect(await refusalOf(service.ask(updateIndividualCustomer, asIndividual))).toBe('customer_type_mismatch');
  });
});
