import { randomUUID } from 'node:crypto';
import { updateBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { updateIndividualCustomer } from '@stablecoin/contracts/customer/update-individual-customer';
import { commandOf } from '@stablecoin/testing/command-of';
import { individual, refusalOf, RunningCustomer } from '../testing/running-service';

describe('updating an individual customer', () => {
  let service: RunningCustomer;
  let merchant: string;

  beforeAll(async () => {
    service = await RunningCustomer.start();
    merchant = await service.newMerchant();
  });
  afterAll(() => service.stop());

  const created = async (fields: object = {}) =>
    (await service.ask(createIndividualCustomer, commandOf(individual(merchant, fields)))).result;
  const update = (customer_id: string, fields: object, commandId?: string) =>
    service.ask(updateIndividualCustomer, commandOf({ merchant_id: merchant, customer_id, ...fields }, commandId));

  it('changes what is given, keeps what is absent, clears what is null', async () => {
    const before = await created({ middle_name: 'Ngozi' });
    const { result } = await update(before.id, {
      middle_name: null,
      last_name: 'Eze',
      expected_monthly_income: '10.5',
    });
    expect(result).toEqual({
      ...before,
      updated_at: expect.any(String),
      personal_info: { ...before.personal_info, middle_name: null, last_name: 'Eze' },
      financial_info: { ...before.financial_info, expected_monthly_income: '10.50' },
    });
    expect(result.updated_at > before.updated_at).toBe(true);
    expect(await service.ask(getCustomer, { merchant_id: merchant, customer_id: before.id })).toEqual(result);
  });

  it('changes nothing for {}', async () => {
    const before = await created();
    expect((await update(before.id, {})).result).toEqual(before);
  });

  it('frees the e-mail address that was changed away from, and refuses one that is taken', async () => {
    const [one, two] = [await created(), await created()];
    expect(await refusalOf(update(two.id, { email: one.email.toUpperCase() }))).toBe('email_taken');
    expect(await refusalOf(update(two.id, { phone: one.phone }))).toBe('phone_taken');
    await update(one.id, { email: `free.${randomUUID()}@example.com` });
    expect((await update(two.id, { email: one.email })).result.email).toBe(one.email);
  });

  it('lets one of two have the e-mail address that both change to at once, and keeps a closed customer’s own', async () => {
    const [one, two] = [await created(), await created()];
    const email = `wanted.${randomUUID()}@example.com`;
    const outcomes = await Promise.allSettled([one, two].map(({ id }) => update(id, { email })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const winner = outcomes[0]?.status === 'fulfilled' ? one : two;
    const loser = winner === one ? two : one;
    await service.ask(closeCustomer, commandOf({ merchant_id: merchant, customer_id: winner.id }));
    expect(await refusalOf(update(loser.id, { email }))).toBe('email_taken');
  });

  it('refuses in the order fields, existence, type, status, uniqueness', async () => {
    const [one, other] = [await created(), await created()];
    await service.ask(closeCustomer, commandOf({ merchant_id: merchant, customer_id: one.id }));
    const fields = { email: other.email };
    const otherMerchant = { merchant_id: await service.newMerchant(), customer_id: one.id, ...fields };
    const asBusiness = { merchant_id: merchant, customer_id: one.id, ...fields };
    expect(await refusalOf(update(randomUUID(), { ...fields, birth_date: '2020-01-01' }))).toBe(
      'birth_date: too_young',
    );
    expect(await refusalOf(update(randomUUID(), fields))).toBe('not_found');
    expect(await refusalOf(service.ask(updateIndividualCustomer, commandOf(otherMerchant)))).toBe('not_found');
    expect(await refusalOf(service.ask(updateBusinessCustomer, commandOf(asBusiness)))).toBe('customer_type_mismatch');
    expect(await refusalOf(update(one.id, fields))).toBe('customer_closed');
    expect(await refusalOf(update(one.id, {}))).toBe('customer_closed');
  });

  it('gives a retry the stored answer, and loses no update of two at once', async () => {
    const before = await created();
    const commandId = randomUUID();
    const first = await update(before.id, { first_name: 'Bola' }, commandId);
    await Promise.all([update(before.id, { first_name: 'Chi' }), update(before.id, { last_name: 'Dike' })]);
    expect(await update(before.id, { first_name: 'Bola' }, commandId)).toEqual({
      result: first.result,
      replayed: true,
    });
    const after = await service.ask(getCustomer, { merchant_id: merchant, customer_id: before.id });
    expect(after.personal_info).toMatchObject({ first_name: 'Chi', last_name: 'Dike' });
  });
});
