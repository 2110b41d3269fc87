import { createHash, randomUUID } from 'node:crypto';
import { completeDocument } from '@stablecoin/contracts/customer/complete-document';
import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { listCustomers } from '@stablecoin/contracts/customer/list-customers';
import { uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { Progress } from '@stablecoin/customer-store/progress';
import { Reindexed, Reindexing } from '@stablecoin/customer-store/key-rotation/reindexing';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { SettingsWrapping } from '@stablecoin/key-wrapping/settings-wrapping';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { commandOf } from '@stablecoin/testing/command-of';
import { eventually } from '@stablecoin/testing/eventually';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { BY, individual, refusalOf, RunningCustomer, TEST_KEYS } from '../testing/running-service';

const NEXT = { BLIND_INDEX_KEY: createHash('sha256').update('the next blind index key').digest('base64') };
const CUSTOMERS = 4;

let database: TestDatabase;
let owner: Client;
beforeAll(async () => {
  database = await createTestDatabase('customer');
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const serviceWith = (keys: NodeJS.ProcessEnv) =>
  RunningCustomer.start({ CUSTOMER_DATABASE_URL: database.url, ...keys });

async function stopped(service: RunningCustomer): Promise<void> {
  await service.stop();
  await eventually('its connections to be gone', async () => {
    const { rows } = await owner.query<{ left: number }>(
      `SELECT count(*)::int AS left FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'customer'`,
    );
    return rows[0]?.left === 0;
  });
}

const CONTENT = Buffer.from('89504e470d0a1a0a00', 'hex');
const DIGEST = createHash('sha256').update(CONTENT).digest('hex');

/** A part of a document that belongs to no customer yet: announced with its digest, or sent by itself. */
const part = (merchant_id: string, announced: object = {}) => ({
  ...{ merchant_id, upload_id: randomUUID(), part: 0, bytes: CONTENT.toString('base64') },
  ...announced,
});

const uploads = async () => (await owner.query('SELECT 1 FROM document_uploads')).rowCount;

/** As the operator's command does, with a connection of its own. */
async function reindex(): Promise<Reindexed> {
  const connected = new CustomerDatabase({ url: database.url, poolSize: 1 });
  const wrapping = new SettingsWrapping(new MasterKeys(Buffer.from(TEST_KEYS.PERSONAL_DATA_KEY, 'base64')));
  const personalData = new PersonalData(wrapping, Buffer.from(NEXT.BLIND_INDEX_KEY, 'base64'));
  try {
    return await new Reindexing(connected, personalData).run(new Progress('customers', () => undefined));
  } finally {
    await connected.$disconnect();
  }
}

it('after a change of the key all customers are found and unique as before, and erased ones stay erased', async () => {
  const before = await serviceWith({});
  const merchant_id = await before.newMerchant();
  await owner.query('UPDATE merchants SET shard = $1', [before.ledger.shard]);
  const bodies = Array.from({ length: CUSTOMERS }, () => individual(merchant_id));
  for (const body of bodies) await before.ask(createIndividualCustomer, commandOf(body));
  const { result: erased } = await before.ask(createIndividualCustomer, commandOf(individual(merchant_id)));
  await before.ask(closeCustomer, commandOf({ merchant_id, customer_id: erased.id }));
  await new CustomerAdministration(before.get(CustomerDatabase), before.get(Clock)).erase(merchant_id, erased.id, BY);
  const whole = part(merchant_id, { parts: 1, sha256: DIGEST });
  const lacksParts = part(merchant_id, { parts: 2, sha256: DIGEST });
  const byItself = part(merchant_id);
  for (const one of [whole, lacksParts, byItself]) await before.ask(uploadDocumentPart, one);
  await expect(reindex()).rejects.toThrow(/^A customer service, or another command, is connected: stop it first\./);
  expect(await uploads()).toBe(3);
  await stopped(before);

  jest.spyOn(Progress.prototype, 'end').mockImplementationOnce(() => {
    throw new Error('the process died here');
  });
  await expect(reindex()).rejects.toThrow('the process died here');
  expect(await reindex()).toEqual({ total: CUSTOMERS, reindexed: 0 });
  // Of one the fingerprint can't be made anew; the request that it belongs to sends it again.
  expect(await uploads()).toBe(2);

  const next = await serviceWith(NEXT);
  for (const one of [whole, lacksParts]) await next.ask(uploadDocumentPart, one);
  const completed = { merchant_id, upload_id: byItself.upload_id, parts: 1, bytes: CONTENT.length, sha256: DIGEST };
  await next.ask(completeDocument, commandOf(completed));
  for (const reference of [{ upload_id: whole.upload_id }, { document_id: byItself.upload_id }]) {
    const documents = [{ doc_type: 'valid_ids', ...reference }];
    await next.ask(createIndividualCustomer, commandOf(individual(merchant_id, { documents })));
  }
  for (const { email, phone } of bodies) {
    for (const search of [email, phone]) expect((await next.ask(listCustomers, { merchant_id, search })).total).toBe(1);
    const twin = individual(merchant_id, { email: email.toUpperCase() });
    expect(await refusalOf(next.ask(createIndividualCustomer, commandOf(twin)))).toBe('email_taken');
    const other = individual(merchant_id, { phone });
    expect(await refusalOf(next.ask(createIndividualCustomer, commandOf(other)))).toBe('phone_taken');
  }
  await stopped(next);
  expect(await reindex()).toEqual({ total: CUSTOMERS + 2, reindexed: 0 });
}, 30_000);
