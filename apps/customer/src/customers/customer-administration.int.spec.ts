import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { findOwner } from '@stablecoin/contracts/customer/find-owner';
import { getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { listCustomers } from '@stablecoin/contracts/customer/list-customers';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { commandOf } from '@stablecoin/testing/command-of';
import { BY, individual, refusalOf, RunningCustomer } from '../testing/running-service';

describe('what operators decide about customers', () => {
  let service: RunningCustomer;
  let merchant_id: string;
  let administration: CustomerAdministration;

  beforeAll(async () => {
    service = await RunningCustomer.start();
    merchant_id = await service.newMerchant();
    administration = new CustomerAdministration(service.get(CustomerDatabase), service.get(Clock));
  });
  afterAll(() => service.stop());

  it('sets the outcome of a review', async () => {
    const { result } = await service.ask(createIndividualCustomer, commandOf(individual(merchant_id)));
    await administration.setKycStatus(merchant_id, result.id, 'rejected', BY);
    expect((await service.ask(findOwner, { merchant_id, customer_id: result.id })).kyc_status).toBe('rejected');
  });

  it('erases a closed customer: nothing finds or opens it, its e-mail address is free', async () => {
    const body = individual(merchant_id);
    const create = commandOf(body);
    const { result } = await service.ask(createIndividualCustomer, create);
    await expect(administration.erase(merchant_id, result.id, BY)).rejects.toThrow('Only a closed customer');
    await service.ask(closeCustomer, commandOf({ merchant_id, customer_id: result.id }));
    await administration.erase(merchant_id, result.id, BY);
    expect(await refusalOf(service.ask(getCustomer, { merchant_id, customer_id: result.id }))).toBe('not_found');
    expect(await refusalOf(service.ask(createIndividualCustomer, create))).toBe('not_found');
    expect((await service.ask(listCustomers, { merchant_id, search: result.id })).total).toBe(0);
    expect((await service.ask(listCustomers, { merchant_id, limit: 100 })).items.map(({ id }) => id)).not.toContain(
      result.id,
    );
    await service.ask(createIndividualCustomer, commandOf(body));
  });
});
