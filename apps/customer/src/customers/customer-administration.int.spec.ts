import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { findOwner } from '@stablecoin/contracts/customer/find-owner';
import { getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { listCustomers } from '@stablecoin/contracts/customer/list-customers';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { ErasureRecord } from '@stablecoin/customer-store/customers/erasure-record';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { commandOf } from '@stablecoin/testing/command-of';
import { Client } from 'pg';
import { CustomerConfiguration } from '../customer.configuration';
import { BY, individual, refusalOf, RunningCustomer } from '../testing/running-service';
import { ErasedCustomers } from './erased-customers';

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

describe('a customer who was erased after a backup was made', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'erasures-'));
    file = join(folder, 'erasures.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const administrationOf = (service: RunningCustomer) =>
    new CustomerAdministration(service.get(CustomerDatabase), service.get(Clock), new ErasureRecord(file));

  it('is erased again before the restored service takes a request, and the others are not', async () => {
    const service = await RunningCustomer.start();
    try {
      const merchant_id = await service.newMerchant();
      const [erased, other] = [individual(merchant_id), individual(merchant_id)];
      const { result } = await service.ask(createIndividualCustomer, commandOf(erased));
      const { result: kept } = await service.ask(createIndividualCustomer, commandOf(other));
      // What a backup of this moment has: the wrapped key, and an open customer with the fingerprints of its addresses.
      const owner = new Client({ connectionString: service.database.ownerUrl });
      await owner.connect();
      await owner.query(
        `CREATE TABLE kept_keys AS SELECT * FROM data_keys; CREATE TABLE kept AS SELECT * FROM customers`,
      );
      await service.ask(closeCustomer, commandOf({ merchant_id, customer_id: result.id }));
      await administrationOf(service).erase(merchant_id, result.id, BY);
      await owner.query(`INSERT INTO data_keys SELECT * FROM kept_keys ON CONFLICT DO NOTHING`);
      await owner.query(`
        UPDATE customers SET erased_at = NULL, status = kept.status, email_index = kept.email_index,
          phone_index = kept.phone_index
        FROM kept WHERE kept.id = customers.id`);
      expect(await service.ask(getCustomer, { merchant_id, customer_id: result.id })).toMatchObject({ id: result.id });
      const again = new ErasedCustomers(
        { erasuresFile: file } as CustomerConfiguration,
        new CustomerAdministration(service.get(CustomerDatabase), service.get(Clock), new ErasureRecord(file)),
      );
      await again.onApplicationBootstrap();
      await again.beforeApplicationShutdown();
      expect(await refusalOf(service.ask(getCustomer, { merchant_id, customer_id: result.id }))).toBe('not_found');
      expect(await service.ask(getCustomer, { merchant_id, customer_id: kept.id })).toMatchObject({ id: kept.id });
      await service.ask(createIndividualCustomer, commandOf(erased));
      expect(await administrationOf(service).eraseAgain()).toEqual([]);
      // The key alone, put back beneath a customer that is marked as erased.
      await owner.query(`INSERT INTO data_keys SELECT * FROM kept_keys ON CONFLICT DO NOTHING`);
      expect(await refusalOf(service.ask(getCustomer, { merchant_id, customer_id: result.id }))).toBe('not_found');
      const filter = { merchantId: merchant_id, kyc: undefined, limit: 10 };
      const named = await administrationOf(service).listNamed(filter, service.get(PersonalData), BY);
      expect(named.find(({ customer_id }) => customer_id === result.id)).toMatchObject({ name: null, email: null });
      expect(await administrationOf(service).eraseAgain()).toEqual([result.id]);
      expect((await owner.query(`SELECT FROM data_keys WHERE owner_id = '${result.id}'`)).rowCount).toBe(0);
      await owner.end();
    } finally {
      await service.stop();
    }
  });

  it('is on the record before the erasure is committed, and a record that can not be written stops it', async () => {
    const service = await RunningCustomer.start();
    try {
      const merchant_id = await service.newMerchant();
      const { result } = await service.ask(createIndividualCustomer, commandOf(individual(merchant_id)));
      await service.ask(closeCustomer, commandOf({ merchant_id, customer_id: result.id }));
      file = join(folder, 'missing', 'erasures.jsonl');
      await expect(administrationOf(service).erase(merchant_id, result.id, BY)).rejects.toThrow(/ENOENT/);
      expect(await service.ask(getCustomer, { merchant_id, customer_id: result.id })).toMatchObject({ id: result.id });
      file = join(folder, 'erasures.jsonl');
      await administrationOf(service).erase(merchant_id, result.id, BY);
      expect(await new ErasureRecord(file).all()).toMatchObject([{ merchant_id, customer_id: result.id }]);
    } finally {
      await service.stop();
    }
  });

  it('a line that can not be read is an error: whom it names must not come back unnoticed', async () => {
    const erasure = { merchant_id: randomUUID(), customer_id: randomUUID(), erased_at: '2026-11-24T12:00:00.000Z' };
    // One that a crash has cut off was not carried out.
    await writeFile(file, '{"customer_id":"');
    expect(await new ErasureRecord(file).all()).toEqual([]);
    await new ErasureRecord(file).add(erasure);
    expect(await new ErasureRecord(file).all()).toEqual([erasure]);
    await writeFile(file, `${JSON.stringify(erasure)}\n{"customer_id":"x"}\n`);
    await expect(new ErasureRecord(file).all()).rejects.toThrow(/names no erased customer/);
  });
});
