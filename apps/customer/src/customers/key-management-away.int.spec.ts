// The service with its master key in a key management service, which then is away.

import { randomUUID } from 'node:crypto';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { listCustomers } from '@stablecoin/contracts/customer/list-customers';
import { resolveApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { updateIndividualCustomer } from '@stablecoin/contracts/customer/update-individual-customer';
import { uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { hashApiKey } from '@stablecoin/customer-store/merchants/api-key';
import { commandOf } from '@stablecoin/testing/command-of';
import { eventually } from '@stablecoin/testing/eventually';
import { TransitServer } from '@stablecoin/testing/transit/transit-server';
import { BY, individual, refusalOf, RunningCustomer } from '../testing/running-service';

const TOKEN = 'token-of-the-kms';
const TABLES = ['customers', 'data_keys', 'document_uploads', 'command_results', 'events'];
let kms: TransitServer;
/** Has the database, and its own memory of keys. */
let first: RunningCustomer;
let service: RunningCustomer;
let merchant_id: string;
let known: string;
let unknown: string;

/** An instance that has opened no key yet. */
const instance = (environment: NodeJS.ProcessEnv = {}) =>
  RunningCustomer.start({
    PERSONAL_DATA_KEY: '',
    PERSONAL_DATA_KEYS: 'transit',
    PERSONAL_DATA_TRANSIT_URL: kms.url,
    PERSONAL_DATA_TRANSIT_TOKEN: TOKEN,
    PERSONAL_DATA_TRANSIT_TIMEOUT_MS: '300',
    ...environment,
  });
const create = async (at: RunningCustomer): Promise<string> =>
  (await at.ask(createIndividualCustomer, commandOf(individual(merchant_id)))).result.id;
const sql: RunningCustomer['sql'] = (text, values) => first.sql(text, values);

beforeAll(async () => {
  kms = await TransitServer.start({ tokens: { [TOKEN]: ['encrypt', 'decrypt'] } });
  kms.keys.create('personal-data');
  first = await instance();
  merchant_id = await first.newMerchant();
  unknown = await create(first);
  service = await instance({ CUSTOMER_DATABASE_URL: first.database.url });
  known = await create(service);
});
afterAll(async () => {
  await service.stop();
  await first.stop();
  await kms.stop();
});
beforeEach(() => (kms.disturbance = {}));

const counts = () =>
  Promise.all(TABLES.map(async (table) => (await sql<{ count: string }>(`SELECT count(*) FROM ${table}`))[0]?.count));

it('keeps data keys as the key management service has wrapped them', async () => {
  const rows = await sql<{ wrapped_key: string }>('SELECT wrapped_key FROM data_keys');
  expect(rows.filter(({ wrapped_key }) => !wrapped_key.startsWith('vault:v1:'))).toEqual([]);
  expect((await first.ask(listCustomers, { merchant_id, page: 1, limit: 20 })).items).toHaveLength(2);
});

it('without it refuses what needs an unknown data key, and writes nothing of it; serves the others, and what needs none', async () => {
  const before = await counts();
  kms.disturbance = { silent: true };
  const documentPart = {
    merchant_id,
    upload_id: randomUUID(),
    part: 0,
    parts: 1,
    sha256: 'a'.repeat(64),
    bytes: 'AAAA',
  };
  const refused = [
    () => service.ask(createIndividualCustomer, commandOf(individual(merchant_id))),
    () => service.ask(updateIndividualCustomer, commandOf({ merchant_id, customer_id: unknown, first_name: 'Eve' })),
    () => service.ask(getCustomer, { merchant_id, customer_id: unknown }),
    () => service.ask(listCustomers, { merchant_id, page: 1, limit: 20 }),
    () => service.ask(uploadDocumentPart, documentPart),
  ];
  for (const request of refused) expect(await refusalOf(request())).toBe('unavailable');
  expect(await counts()).toEqual(before);
  await expect(service.ask(getCustomer, { merchant_id, customer_id: known })).resolves.toMatchObject({ id: known });
  const key = await refusalOf(service.ask(resolveApiKey, { key_hash: hashApiKey('sk_test_unknown') }));
  expect(key).not.toBe('unavailable');
  kms.disturbance = {};
  const request = () => service.ask(getCustomer, { merchant_id, customer_id: unknown }).catch(() => undefined);
  await expect(eventually('it is served again', request)).resolves.toMatchObject({ id: unknown, status: 'active' });
});

it('an erased customer is not opened by what is in memory', async () => {
  const id = await create(service);
  await service.ask(getCustomer, { merchant_id, customer_id: id });
  await sql(`UPDATE customers SET status = 'closed' WHERE id = $1`, [id]);
  const administration = new CustomerAdministration(service.get(CustomerDatabase), service.clock);
  await administration.erase(merchant_id, id, BY);
  expect(await refusalOf(service.ask(getCustomer, { merchant_id, customer_id: id }))).toBe('not_found');
});
