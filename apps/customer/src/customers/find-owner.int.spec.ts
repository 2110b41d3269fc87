import { createBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { findOwner } from '@stablecoin/contracts/customer/find-owner';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { commandOf } from '@stablecoin/testing/command-of';
import { BY, business, individual, refusalOf, RunningCustomer } from '../testing/running-service';

describe('finding the owner of wallets and quotes', () => {
  let service: RunningCustomer;
  let merchant: string;

  beforeAll(async () => {
    service = await RunningCustomer.start();
    const fields = {
      name: 'Corner Shop',
      email: 'shop@merchant.example',
      mode: 'test',
      scopes: ['read'],
      payoutFee: null,
    } as const;
    merchant = (await service.get(MerchantRegistry).register(fields, BY)).merchant_id;
  });
  afterAll(() => service.stop());

  const profile = (fields: object) => ({
    sn: expect.stringMatching(/^[A-Z0-9]{10}$/),
    reference: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    ...fields,
  });

  it.each([[{}], [{ customer_id: null }]])('is the merchant itself for %j', async (query) => {
    const owner = await service.ask(findOwner, { merchant_id: merchant, ...query });
    expect(owner.key_mode).toBe('test');
    expect(owner).toMatchObject({ owner_id: merchant, customer_id: null, status: 'active', kyc_status: 'approved' });
    const names = { first_name: 'Corner Shop', last_name: '', display_name: 'Corner Shop' };
    expect(owner.profile).toEqual(profile({ email: 'shop@merchant.example', ...names }));
  });

  it('is a customer by its id, with a data key that opens with the master key', async () => {
    const body = individual(merchant);
    const { result } = await service.ask(createIndividualCustomer, commandOf(body));
    const owner = await service.ask(findOwner, { merchant_id: merchant, customer_id: result.id });
    expect(owner).toMatchObject({
      owner_id: result.id,
      customer_id: result.id,
      status: 'active',
      kyc_status: 'approved',
    });
    expect(owner.profile).toEqual(
      profile({ email: body.email, first_name: 'Ada', last_name: 'Obi', display_name: 'Ada Obi' }),
    );
    expect(await service.get(PersonalData).unwrap(result.id, owner.wrapped_data_key)).toHaveLength(32);
  });

  it('names a business by its name', async () => {
    const { result } = await service.ask(createBusinessCustomer, commandOf(business(merchant)));
    const owner = await service.ask(findOwner, { merchant_id: merchant, customer_id: result.id });
    expect(owner.profile).toMatchObject({ first_name: 'Obi Trading', last_name: '', display_name: 'Obi Trading' });
  });

  it("doesn't find another merchant's customer", async () => {
    const { result } = await service.ask(createIndividualCustomer, commandOf(individual(merchant)));
    const otherMerchant = { merchant_id: await service.newMerchant(), customer_id: result.id };
    expect(await refusalOf(service.ask(findOwner, otherMerchant))).toBe('not_found');
  });
});
