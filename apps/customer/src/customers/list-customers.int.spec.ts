import { randomUUID } from 'node:crypto';
import { createBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { listCustomers } from '@stablecoin/contracts/customer/list-customers';
import { CustomerView } from '@stablecoin/contracts/customer/views';
import { PROFILE } from '@stablecoin/customer-store/customers/customer-record';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { commandOf } from '@stablecoin/testing/command-of';
import { countedTurns } from '@stablecoin/testing/counted-turns';
import { business, individual, refusalOf, RunningCustomer } from '../testing/running-service';

describe('listing and getting customers', () => {
  let service: RunningCustomer;
  let merchant: string;
  let ada: CustomerView;
  let office: CustomerView;
  let closed: CustomerView;

  beforeAll(async () => {
    service = await RunningCustomer.start();
    merchant = await service.newMerchant();
    const create = async () => (await service.ask(createIndividualCustomer, commandOf(individual(merchant)))).result;
    // One millisecond for all: the order is that of their arrival.
    jest.spyOn(service.clock, 'now').mockReturnValue(new Date());
    ada = await create();
    office = (await service.ask(createBusinessCustomer, commandOf(business(merchant)))).result;
    const toClose = await create();
    closed = (await service.ask(closeCustomer, commandOf({ merchant_id: merchant, customer_id: toClose.id }))).result;
    await service.ask(createIndividualCustomer, commandOf(individual(await service.newMerchant())));
    jest.restoreAllMocks();
  });
  afterAll(() => service.stop());

  const list = (query: object = {}) => service.ask(listCustomers, { merchant_id: merchant, ...query });

  it('lists its own, newest first, as get shows them', async () => {
    expect(await list()).toEqual({ items: [closed, office, ada], total: 3, page: 1, limit: 20 });
    expect(await service.ask(getCustomer, { merchant_id: merchant, customer_id: ada.id })).toEqual(ada);
  });

  it('pages with an exact total', async () => {
    expect(await list({ page: 2, limit: 2 })).toEqual({ items: [ada], total: 3, page: 2, limit: 2 });
    expect(await list({ page: 999_999_999, limit: 100 })).toMatchObject({ items: [], total: 3 });
  });

  it.each([
    ['status', () => ({ status: 'active' }), () => [office, ada]],
    ['type', () => ({ customer_type: 'individual' }), () => [closed, ada]],
    ['both', () => ({ status: 'closed', customer_type: 'business' }), () => []],
    ['an e-mail address in another case', () => ({ search: ada.email.toUpperCase() }), () => [ada]],
    ['a phone number', () => ({ search: office.phone }), () => [office]],
    ['an id', () => ({ search: closed.id.toUpperCase() }), () => [closed]],
    ['part of an e-mail address', () => ({ search: ada.email.slice(0, 5) }), () => []],
    ['a wildcard', () => ({ search: '%' }), () => []],
    ['a wildcard in an e-mail address', () => ({ search: ada.email.replace('a', '_') }), () => []],
    ['what would end a statement', () => ({ search: `' OR true --` }), () => []],
    ['search and status', () => ({ search: ada.email, status: 'closed' }), () => []],
  ])('filters by %s', async (_case, query, expected) => {
    const { items, total } = await list(query());
    expect({ items, total }).toEqual({ items: expected(), total: expected().length });
  });

  it('opens large ones in turns, between which others have theirs', async () => {
    const merchant_id = await service.newMerchant();
    const image = `https://example.com/${'x'.repeat(1_900)}`;
    const owner = { first_name: 'Ada', last_name: 'Obi', front_image: image, back_image: image };
    const large = () => commandOf(business(merchant_id, { business_owners: Array(40).fill(owner) }));
    for (let count = 0; count < 3; count += 1) await service.ask(createBusinessCustomer, large());
    const turns = countedTurns();
    const open = OwnerSeal.prototype.open;
    const openedIn: number[] = [];
    jest.spyOn(OwnerSeal.prototype, 'open').mockImplementation(function (this: OwnerSeal, field, sealed) {
      // Screening opens the names of the new ones meanwhile.
      if (field === PROFILE) openedIn.push(turns.now);
      return open.call(this, field, sealed);
    });
    const { items } = await list({ merchant_id });
    turns.stop();
    jest.restoreAllMocks();
    expect([items.length, openedIn.length, new Set(openedIn).size]).toEqual([3, 3, 3]);
  });

  it("doesn't find another merchant's customer", async () => {
    const otherMerchant = await service.newMerchant();
    for (const customer_id of [ada.id, randomUUID()]) {
      expect(await refusalOf(service.ask(getCustomer, { merchant_id: otherMerchant, customer_id }))).toBe('not_found');
    }
    for (const search of [ada.id, ada.email, ada.phone]) {
      expect(await service.ask(listCustomers, { merchant_id: otherMerchant, search })).toMatchObject({
        items: [],
        total: 0,
      });
    }
  });
});
