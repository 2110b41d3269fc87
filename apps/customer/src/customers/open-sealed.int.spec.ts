import { randomUUID } from 'node:crypto';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { findOwner } from '@stablecoin/contracts/customer/find-owner';
import { OPENED_AT_ONCE_MAX, OpenedField, openSealed, SealedValue } from '@stablecoin/contracts/customer/open-sealed';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { SealingKey } from '@stablecoin/personal-data/sealing-key';
import { commandOf } from '@stablecoin/testing/command-of';
import { individual, refusalOf, RunningCustomer } from '../testing/running-service';

const VALUE = { account_number: '0123456789', recipient_name: 'Ada Obi' };
const field: OpenedField = 'payout_destination';

let service: RunningCustomer;
let merchant_id: string;
let customer_id: string;

beforeAll(async () => {
  service = await RunningCustomer.start();
  merchant_id = await service.newMerchant();
  customer_id = (await service.ask(createIndividualCustomer, commandOf(individual(merchant_id)))).result.id;
});
afterAll(() => service.stop());

/** Sealed as the gateway does it, with what it is given. */
async function sealedFor(owner: { customer_id?: string }, name: string = field): Promise<string> {
  const { owner_id, sealing_key = '' } = await service.ask(findOwner, { merchant_id, ...owner });
  return new SealingKey(owner_id, sealing_key).seal(name, VALUE);
}

const open = (value: { customer_id?: string; sealed: string; field?: OpenedField }, by = merchant_id) =>
  openAll([{ field, ...value }], by);
// A request that its class refuses throws before it is sent.
const openAll = async (values: SealedValue[], by = merchant_id) => service.ask(openSealed, { merchant_id: by, values });

it('opens what was sealed with the sealing keys of a customer and of the merchant, in the order of the request', async () => {
  const values = [
    { field, customer_id, sealed: await sealedFor({ customer_id }) },
    { field, sealed: await sealedFor({}) },
    { field, customer_id, sealed: 'v1.AAAA.BBBB' },
  ];
  expect(await openAll(values)).toEqual([VALUE, VALUE, null]);
});

it('opens what gateways of earlier versions sealed with the data key', async () => {
  const { wrapped_data_key } = await service.ask(findOwner, { merchant_id, customer_id });
  const sealed = (await service.get(PersonalData).sealOf(customer_id, wrapped_data_key)).seal(field, VALUE);
  expect(await open({ customer_id, sealed })).toEqual([VALUE]);
});

it('opens nothing of another merchant, and nothing as another owner’s or under another field', async () => {
  const sealed = await sealedFor({ customer_id });
  expect(await open({ customer_id, sealed }, await service.newMerchant())).toEqual([null]);
  expect(await open({ customer_id: randomUUID(), sealed })).toEqual([null]);
  expect(await open({ sealed })).toEqual([null]);
  expect(await open({ customer_id, sealed, field: 'swap_quote_profile' })).toEqual([null]);
});

it('opens only the fields that are shown, and a page at once', async () => {
  const sealed = await sealedFor({ customer_id }, 'profile');
  const profile = { customer_id, sealed, field: 'profile' as OpenedField };
  expect(await refusalOf(open(profile))).toBe('values.0.field: invalid_choice');
  const values = Array.from({ length: OPENED_AT_ONCE_MAX + 1 }, () => ({ field, customer_id, sealed }));
  expect(await refusalOf(openAll(values))).toBe('values: invalid_list');
});

it('opens nothing of a customer whose data key was destroyed', async () => {
  const { result } = await service.ask(createIndividualCustomer, commandOf(individual(merchant_id)));
  const sealed = await sealedFor({ customer_id: result.id });
  expect(await open({ customer_id: result.id, sealed })).toEqual([VALUE]);
  await service.get(CustomerDatabase).$executeRaw`DELETE FROM data_keys WHERE owner_id = ${result.id}::uuid`;
  expect(await open({ customer_id: result.id, sealed })).toEqual([null]);
});

it('opens nothing of who was erased, also when the data key is there again', async () => {
  const { result } = await service.ask(createIndividualCustomer, commandOf(individual(merchant_id)));
  const sealed = await sealedFor({ customer_id: result.id });
  expect(await open({ customer_id: result.id, sealed })).toEqual([VALUE]);
  await service.get(CustomerDatabase).$executeRaw`UPDATE customers SET erased_at = now() WHERE id = ${result.id}::uuid`;
  expect(await open({ customer_id: result.id, sealed })).toEqual([null]);
});

it('gives the key of keyed hashes with the merchant alone', async () => {
  expect((await service.ask(findOwner, { merchant_id })).hash_key).toMatch(/^[\w+/]{43}=$/);
  expect(await service.ask(findOwner, { merchant_id, customer_id })).not.toHaveProperty('hash_key');
});
