import { randomUUID } from 'node:crypto';
import { createBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { updateIndividualCustomer } from '@stablecoin/contracts/customer/update-individual-customer';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { commandOf } from '@stablecoin/testing/command-of';
import { BY, business, individual, refusalOf, RunningCustomer } from '../testing/running-service';

describe('creating an individual customer', () => {
  let service: RunningCustomer;
  let merchant: string;

  beforeAll(async () => {
    service = await RunningCustomer.start();
    merchant = await service.newMerchant();
  });
  afterAll(() => service.stop());
  afterEach(() => jest.restoreAllMocks());

  const create = (body: object, commandId?: string) =>
    service.ask(createIndividualCustomer, commandOf(body, commandId));
  const count = async () => (await service.sql<{ n: number }>('SELECT count(*)::int AS n FROM customers'))[0]?.n;

  it('answers with the customer, in codes', async () => {
    const body = individual(merchant, { email: ' Ada.Obi@Example.com ', middle_name: 'Ngozi' });
    const { result, replayed } = await create(body);
    expect(replayed).toBe(false);
    expect(result).toEqual({
      id: expect.any(String),
      customer_type: 'individual',
      email: 'Ada.Obi@Example.com',
      phone: body.phone,
      status: 'active',
      kyc_status: 'approved',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: result.created_at,
      address: {
        street1: '1 Marina Road',
        street2: null,
        city: 'Lagos',
        state: 'LA',
        postal_code: null,
        country: 'NG',
      },
      personal_info: { first_name: 'Ada', middle_name: 'Ngozi', last_name: 'Obi', birth_date: '1990-05-17' },
      financial_info: {
        account_purpose: 'PERSONAL_OR_LIVING_EXPENSES',
        employment_status: 'EMPLOYED',
        expected_monthly_income: '2500.00',
        most_recent_occupation: '132011',
        source_of_funds: 'SALARY',
      },
      business_info: null,
    });
  });

  it('checks the age by its own UTC day, and stores nothing of a refused customer', async () => {
    jest.spyOn(service.clock, 'now').mockReturnValue(new Date('2026-11-21T23:59:59.999Z'));
    const before = await count();
    expect(await refusalOf(create(individual(merchant, { birth_date: '2008-11-22' })))).toBe('birth_date: too_young');
    expect(await refusalOf(create(individual(merchant, { birth_date: '2026-11-22' })))).toBe(
      'birth_date: invalid_date',
    );
    expect(await count()).toBe(before);
    expect(
      await service.sql(
        'SELECT 1 FROM data_keys WHERE owner_id NOT IN (SELECT id FROM customers UNION SELECT id FROM merchants)',
      ),
    ).toEqual([]);
    await create(individual(merchant, { birth_date: '2008-11-21' }));
  });

  it('keeps e-mail and phone unique per merchant, whatever the case', async () => {
    const first = individual(merchant);
    await create(first);
    const taken = { email: first.email.toUpperCase(), phone: first.phone };
    expect(await refusalOf(create(individual(merchant, { email: taken.email })))).toBe('email_taken');
    expect(await refusalOf(create(individual(merchant, { phone: taken.phone })))).toBe('phone_taken');
    expect(await refusalOf(create(individual(merchant, taken)))).toBe('email_taken');
    await create(individual(await service.newMerchant(), taken));
  });

  it.each(['email', 'phone'] as const)('lets one of ten at once have the same %s', async (field) => {
    const wanted = { [field]: individual(merchant)[field] };
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () =>
        create(individual(merchant, wanted)).then(
          () => 'created',
          (error: unknown) => (error as { code: string }).code,
        ),
      ),
    );
    expect(outcomes.sort()).toEqual(['created', ...Array.from({ length: 9 }, () => `${field}_taken`)]);
  });

  it('takes effect once per command id, and answers a retry as it did the first time', async () => {
    const body = individual(merchant);
    const commandId = randomUUID();
    const first = await create(body, commandId);
    await service.ask(
      updateIndividualCustomer,
      commandOf({ merchant_id: merchant, customer_id: first.result.id, first_name: 'Changed' }),
    );
    expect(await create(body, commandId)).toEqual({ result: first.result, replayed: true });
    expect(await refusalOf(create({ ...body, last_name: 'Other' }, commandId))).toBe('idempotency_key_reused');
  });

  it('does not use up a command id with a refusal', async () => {
    const taken = individual(merchant);
    await create(taken);
    const commandId = randomUUID();
    expect(await refusalOf(create(taken, commandId))).toBe('email_taken');
    expect((await create(individual(merchant), commandId)).replayed).toBe(false);
  });
});

describe('the KYC status of a new customer', () => {
  const documents = [{ doc_type: 'valid_ids', url: 'https://files.example.com/passport.png' }];
  const nobodySays = undefined;

  describe.each([
    ['true', 'test', 'approved', 'approved'],
    ['true', 'live', 'not_started', 'under_review'],
    ['true', nobodySays, 'not_started', 'under_review'],
    ['false', 'test', 'not_started', 'under_review'],
    ['false', 'live', 'not_started', 'under_review'],
  ])('with KYC_AUTO_APPROVE=%s and a %s key', (KYC_AUTO_APPROVE, key_mode, without, withDocuments) => {
    let service: RunningCustomer;
    let merchant_id: string;
    beforeAll(async () => {
      service = await RunningCustomer.start({ KYC_AUTO_APPROVE });
      merchant_id = await service.newMerchant();
    });
    afterAll(() => service.stop());

    const created = async (fields: object) =>
      (await service.ask(createIndividualCustomer, commandOf(individual(merchant_id, { key_mode, ...fields })))).result;
    const updated = async (customer_id: string, fields: object) =>
      (await service.ask(updateIndividualCustomer, commandOf({ merchant_id, customer_id, ...fields }))).result;

    it(`is ${without}, with documents ${withDocuments}`, async () => {
      const company = commandOf(business(merchant_id, { key_mode, documents }));
      expect((await service.ask(createBusinessCustomer, company)).result.kyc_status).toBe(withDocuments);
      expect((await created({ documents })).kyc_status).toBe(withDocuments);
      const { id, kyc_status } = await created({});
      expect(kyc_status).toBe(without);
      expect((await updated(id, { last_name: 'Eze' })).kyc_status).toBe(without);
      expect((await updated(id, { documents })).kyc_status).toBe(withDocuments);
    });

    it('stays as people decided it, whatever documents come', async () => {
      const { id } = await created({});
      await new CustomerAdministration(service.get(CustomerDatabase), service.get(Clock)).setKycStatus(
        merchant_id,
        id,
        'rejected',
        BY,
      );
      expect((await updated(id, { documents })).kyc_status).toBe('rejected');
    });
  });
});
