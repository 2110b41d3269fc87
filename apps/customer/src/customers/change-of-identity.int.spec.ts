import { createBusinessCustomer, updateBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { listEvents } from '@stablecoin/contracts/customer/list-events';
import { updateIndividualCustomer } from '@stablecoin/contracts/customer/update-individual-customer';
import { KycStatus } from '@stablecoin/contracts/customer/views';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { commandOf } from '@stablecoin/testing/command-of';
import { business, BY, individual, RunningCustomer } from '../testing/running-service';

const ADDRESS = { street1: '1 Marina Road', city: 'Lagos', state: 'LA', country: 'NG' };
const OWNER = { first_name: 'Uche', last_name: 'Obi', date_of_birth: '1980-01-31', nationality: 'NG', title: 'CEO' };

let service: RunningCustomer;
beforeAll(async () => {
  service = await RunningCustomer.start();
});
afterAll(() => service.stop());

const decide = (merchant_id: string, customer_id: string, kyc_status: KycStatus) =>
  new CustomerAdministration(service.get(CustomerDatabase), service.get(Clock)).setKycStatus(
    merchant_id,
    customer_id,
    kyc_status,
    BY,
  );

/** A customer of a merchant of this mode, whose review has ended so. */
async function person(key_mode: KeyMode, decided: KycStatus, fields: object = {}) {
  const merchant_id = await service.newMerchant(key_mode);
  const body = individual(merchant_id, { key_mode, ...fields });
  const { id } = (await service.ask(createIndividualCustomer, commandOf(body))).result;
  if (decided !== 'not_started') await decide(merchant_id, id, decided);
  const update = async (changes: object) =>
    (await service.ask(updateIndividualCustomer, commandOf({ merchant_id, customer_id: id, ...changes }))).result;
  return { merchant_id, id, update };
}

describe('an approved person of a live merchant', () => {
  it.each<[string, object, KycStatus]>([
    ['another first name', { first_name: 'Grace' }, 'under_review'],
    ['another middle name', { middle_name: 'Ngozi' }, 'under_review'],
    ['another last name', { last_name: 'Eze' }, 'under_review'],
    ['another birth date', { birth_date: '1990-05-18' }, 'under_review'],
    ['another tax id', { tax_identification_number: '7' }, 'under_review'],
    ['no tax id any more', { tax_identification_number: null }, 'under_review'],
    ['another country', { registered_address: { ...ADDRESS, country: 'GH' } }, 'under_review'],
    ['another street', { registered_address: { ...ADDRESS, street1: '2 Broad Street' } }, 'approved'],
    ['another phone', { phone: '+2347012345678' }, 'approved'],
    ['another income', { expected_monthly_income: '7' }, 'approved'],
    ['the same name and country', { first_name: 'Ada', middle_name: null, registered_address: ADDRESS }, 'approved'],
    ['nothing', {}, 'approved'],
  ])('with %s: %j is %s', async (_what, changes, expected) => {
    const { update } = await person('live', 'approved', { tax_identification_number: '6' });
    expect((await update(changes)).kyc_status).toBe(expected);
  });

  it('is told of to the merchant, and stays under review when the old name comes back', async () => {
    const { merchant_id, id, update } = await person('live', 'approved');
    await update({ last_name: 'Eze' });
    const { items } = await service.ask(listEvents, { merchant_id });
    expect(items[0]).toMatchObject({ type: 'customer.updated', data: { id, kyc_status: 'under_review' } });
    expect((await update({ last_name: 'Obi' })).kyc_status).toBe('under_review');
  });
});

it.each<[KeyMode, KycStatus, KycStatus]>([
  ['live', 'not_started', 'not_started'],
  ['live', 'under_review', 'under_review'],
  ['live', 'rejected', 'under_review'],
  ['test', 'approved', 'approved'],
  ['test', 'rejected', 'approved'],
])('with a %s key, a person who was %s is %s under another name', async (mode, before, after) => {
  const { update } = await person(mode, before);
  expect((await update({ last_name: 'Eze' })).kyc_status).toBe(after);
});

describe('an approved business of a live merchant', () => {
  it.each<[string, object, KycStatus]>([
    ['another name', { business_name: 'Eze Trading' }, 'under_review'],
    ['another registration number', { registration_number: 'RC-2' }, 'under_review'],
    ['another registration date', { registration_date: '2020-01-02' }, 'under_review'],
    ['another tax id', { tax_identification_number: '7' }, 'under_review'],
    ['another country', { registered_address: { ...ADDRESS, country: 'GH' } }, 'under_review'],
    ['an owner less', { business_owners: [] }, 'under_review'],
    ['an owner of another name', { business_owners: [{ ...OWNER, last_name: 'Eze' }] }, 'under_review'],
    ['an owner of another nationality', { business_owners: [{ ...OWNER, nationality: 'GH' }] }, 'under_review'],
    ['an owner of another title', { business_owners: [{ ...OWNER, title: 'CTO' }] }, 'approved'],
    ['another trading name', { trading_name: 'Obi & Daughters' }, 'approved'],
  ])('with %s: %j is %s', async (_what, changes, expected) => {
    const merchant_id = await service.newMerchant('live');
    const registered = { registration_number: 'RC-1', registration_date: '2020-01-01', business_owners: [OWNER] };
    const body = business(merchant_id, { key_mode: 'live', registered_address: ADDRESS, ...registered });
    const { id } = (await service.ask(createBusinessCustomer, commandOf(body))).result;
    await decide(merchant_id, id, 'approved');
    const update = commandOf({ merchant_id, customer_id: id, ...changes });
    expect((await service.ask(updateBusinessCustomer, update)).result.kyc_status).toBe(expected);
  });
});
