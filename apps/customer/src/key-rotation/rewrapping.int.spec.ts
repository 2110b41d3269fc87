/**
 * The master key is changed on a real database: the service works with one key, then with both, then with the new one
 * only, and between these steps the operator's command wraps data keys anew.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { Progress } from '@stablecoin/customer-store/progress';
import { requireNoneLeft, Rewrapping } from '@stablecoin/customer-store/key-rotation/rewrapping';
import { TransitClient } from '@stablecoin/key-wrapping/transit-client';
import { TransitWrapping } from '@stablecoin/key-wrapping/transit-wrapping';
import { TransitServer } from '@stablecoin/testing/transit/transit-server';
import { createDataKey, unwrapDataKey, wrapDataKey } from '@stablecoin/personal-data/data-key';
import { KeyWrapping } from '@stablecoin/key-wrapping/key-wrapping';
import { MovingWrapping } from '@stablecoin/key-wrapping/moving-wrapping';
import { SettingsWrapping } from '@stablecoin/key-wrapping/settings-wrapping';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { commandOf } from '@stablecoin/testing/command-of';
import { Client } from 'pg';
import { BY, CustomerReply, individual, RunningCustomer, TEST_KEYS } from '../testing/running-service';

const BEFORE = TEST_KEYS.PERSONAL_DATA_KEY;
const NEXT = createHash('sha256').update('the next master key').digest('base64');
const BOTH = { PERSONAL_DATA_KEY: NEXT, PERSONAL_DATA_PREVIOUS_KEY: BEFORE };
const [before, next] = [BEFORE, NEXT].map((key) => Buffer.from(key, 'base64')) as [Buffer, Buffer];
/** Several batches. */
const OTHER_OWNERS = 1_200;
const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), randomBytes(64)]);

let service: RunningCustomer;
let merchant_id: string;
const further: RunningCustomer[] = [];

beforeEach(async () => {
  service = await RunningCustomer.start();
  merchant_id = await service.newMerchant();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all([...further.splice(0), service].map((each) => each.stop()));
});

/** Another instance on the same database, with other keys. */
async function instanceWith(keys: NodeJS.ProcessEnv): Promise<RunningCustomer> {
  const instance = await RunningCustomer.start({ CUSTOMER_DATABASE_URL: service.database.url, ...keys });
  further.push(instance);
  return instance;
}

/** As the operator's command does, with a connection of its own. @param afterLine called after each line of progress */
async function rewrapKeys(keys: NodeJS.ProcessEnv = BOTH, afterLine: () => void = () => undefined) {
  const { PERSONAL_DATA_KEY = BEFORE, PERSONAL_DATA_PREVIOUS_KEY: previous } = keys;
  const masterKeys = new MasterKeys(
    Buffer.from(PERSONAL_DATA_KEY, 'base64'),
    previous === undefined ? null : Buffer.from(previous, 'base64'),
  );
  return rewrapWith(new SettingsWrapping(masterKeys), afterLine);
}

async function rewrapWith(wrapping: KeyWrapping, afterLine: () => void = () => undefined) {
  const told: string[] = [];
  const progress = new Progress('data keys', (line) => {
    told.push(line);
    afterLine();
  });
  const database = new CustomerDatabase({ url: service.database.url, poolSize: 1 });
  try {
    return { told, result: await new Rewrapping(database, wrapping).run(progress) };
  } finally {
    await database.$disconnect();
  }
}

const done = (rewrapped: number): unknown =>
  expect.objectContaining({ rewrapped, left_under_previous_key: 0, unreadable: 0 });

const create = (at: RunningCustomer): Promise<CustomerReply> =>
  at.ask(createIndividualCustomer, commandOf(individual(merchant_id)));
const emailAt = async (at: RunningCustomer, customer_id: string) =>
  (await at.ask(getCustomer, { merchant_id, customer_id })).email;

async function upload(at: RunningCustomer): Promise<string> {
  const upload_id = randomUUID();
  const part = {
    part: 0,
    parts: 1,
    sha256: createHash('sha256').update(PNG).digest('hex'),
    bytes: PNG.toString('base64'),
  };
  await at.ask(uploadDocumentPart, { merchant_id, upload_id, ...part });
  return upload_id;
}

async function insertOwners(count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const wrapped = ids.map((id) => wrapDataKey(before, createDataKey(), id));
  await service.sql('INSERT INTO data_keys SELECT * FROM unnest($1::uuid[], $2::text[])', [ids, wrapped]);
}

const wrappedKeys = () =>
  service.sql<{ id: string; wrapped_key: string }>(
    `SELECT owner_id AS id, wrapped_key FROM data_keys
     UNION ALL SELECT id, wrapped_key FROM document_uploads WHERE wrapped_key IS NOT NULL ORDER BY id`,
  );

async function allOpenWith(masterKey: Buffer): Promise<void> {
  for (const { id, wrapped_key } of await wrappedKeys())
    expect(unwrapDataKey(masterKey, wrapped_key, id)).toHaveLength(32);
}

it('while rows are written: everything opens with both keys, and in the end with the next one alone', async () => {
  const [{ result: customer }, uploadId] = await Promise.all([create(service), upload(service)]);
  await insertOwners(OTHER_OWNERS);
  const both = await instanceWith(BOTH);
  expect(await emailAt(both, customer.id)).toBe(customer.email);
  const written: string[] = [];
  const write = async (at: RunningCustomer) => written.push((await create(at)).result.id);
  // Keys that an instance with the old settings writes behind the first pass are found by the next pass.
  const passes = Rewrapping.prototype as unknown as { pass(...asked: unknown[]): Promise<unknown> };
  const pass = passes.pass;
  jest.spyOn(passes, 'pass').mockImplementationOnce(async function (this: Rewrapping, ...asked) {
    const seen = await pass.apply(this, asked);
    for (let count = 0; count < 3; count += 1) await write(service);
    return seen;
  });
  let isOver = false;
  const writing = (async () => {
    while (!isOver) await write(both);
  })();
  const { told, result } = await rewrapKeys();
  isOver = true;
  await writing;
  expect(result).toMatchObject({ left_under_previous_key: 0, unreadable: 0 });
  expect(() => requireNoneLeft(result)).not.toThrow();
  expect(result.rewrapped).toBeGreaterThan(OTHER_OWNERS + 3);
  expect(told.join('\n')).toMatch(/^pass 1: [\d,]+ of [\d,]+ data keys, [\d,]+\/s\npass 2: .*\npass 3: /);
  expect((await rewrapKeys()).result).toEqual(done(0));
  await allOpenWith(next);

  const alone = await instanceWith({ PERSONAL_DATA_KEY: NEXT });
  expect(await emailAt(alone, customer.id)).toBe(customer.email);
  for (const id of written) expect(await emailAt(alone, id)).toMatch(/@example\.com$/);
  const documents = [{ doc_type: 'valid_ids', upload_id: uploadId }];
  await alone.ask(createIndividualCustomer, commandOf(individual(merchant_id, { documents })));
  expect(written.length).toBeGreaterThan(3);
}, 60_000);

it('interrupted and run again: what was done is not done twice', async () => {
  await insertOwners(OTHER_OWNERS);
  const total = (await wrappedKeys()).length;
  jest.spyOn(Progress.prototype, 'add').mockImplementationOnce(() => {
    throw new Error('the process died here');
  });
  await expect(rewrapKeys()).rejects.toThrow('the process died here');
  const { result } = await rewrapKeys();
  expect(result).toMatchObject({ total, left_under_previous_key: 0, unreadable: 0 });
  expect(result.rewrapped).toBeGreaterThan(0);
  expect(result.rewrapped).toBeLessThan(total);
  await allOpenWith(next);
});

it('the previous key dropped too early: an error names the command; with the key again all data is there', async () => {
  const { result: customer } = await create(service);
  const stored = await wrappedKeys();
  const alone = await instanceWith({ PERSONAL_DATA_KEY: NEXT });
  await expect(emailAt(alone, customer.id)).rejects.toThrow(/PERSONAL_DATA_PREVIOUS_KEY until .* rewrap-keys/);
  const early = await rewrapKeys({ PERSONAL_DATA_KEY: NEXT });
  expect(early.result).toMatchObject({ rewrapped: 0, unreadable: stored.length });
  expect(() => requireNoneLeft(early.result)).toThrow(
    /^\d+ data keys open with no master key at hand .* PERSONAL_DATA_PREVIOUS_KEY.* rewrap-keys again\.$/,
  );
  expect(await wrappedKeys()).toEqual(stored);
  expect((await rewrapKeys()).result).toEqual(done(stored.length));
  expect(await emailAt(alone, customer.id)).toBe(customer.email);
});

it('a service that goes on wrapping with the previous key is noticed', async () => {
  const waiting = Array.from({ length: 200 }, () => randomUUID());
  await service.sql('CREATE TABLE waiting (owner_id uuid, wrapped_key text)');
  await service.sql('INSERT INTO waiting SELECT * FROM unnest($1::uuid[], $2::text[])', [
    waiting,
    waiting.map((id) => wrapDataKey(before, createDataKey(), id)),
  ]);
  // Each batch that is wrapped anew writes one more key, before those that the pass has yet to read.
  await service.sql(`
    CREATE FUNCTION one_more() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      WITH taken AS (DELETE FROM waiting WHERE owner_id = (SELECT max(owner_id::text)::uuid FROM waiting) RETURNING *)
      INSERT INTO data_keys SELECT * FROM taken;
      RETURN NULL;
    END $$`);
  await service.sql('CREATE TRIGGER one_more AFTER UPDATE ON data_keys FOR EACH STATEMENT EXECUTE FUNCTION one_more()');
  const { result } = await rewrapKeys();
  expect(result.left_under_previous_key).toBe(1);
  expect(() => requireNoneLeft(result)).toThrow(
    /^1 data keys are still under the previous key: a customer service goes on wrapping with it/,
  );
});

it('a customer who was erased, before or meanwhile, stays erased', async () => {
  const [{ result: erased }, { result: erasedMeanwhile }] = await Promise.all([create(service), create(service)]);
  await service.ask(closeCustomer, commandOf({ merchant_id, customer_id: erased.id }));
  await new CustomerAdministration(service.get(CustomerDatabase), service.get(Clock)).erase(merchant_id, erased.id, BY);
  const erasing = new Client({ connectionString: service.database.ownerUrl });
  await erasing.connect();
  await erasing.query('BEGIN');
  await erasing.query('DELETE FROM data_keys WHERE owner_id = $1', [erasedMeanwhile.id]);
  // It is read as it was; its row is locked, and gone when the first pass is over.
  const others = (await wrappedKeys()).length - 1;
  let committing: Promise<unknown> | undefined;
  const { result } = await rewrapKeys(BOTH, () => void (committing ??= erasing.query('COMMIT')));
  await committing;
  await erasing.end();
  expect(result).toEqual(done(others));
  const left = (await wrappedKeys()).map(({ id }) => id);
  expect(left).toHaveLength(others);
  expect(left).not.toContain(erased.id);
  expect(left).not.toContain(erasedMeanwhile.id);
});

it('an upload that becomes a document meanwhile stays one', async () => {
  const upload_id = await upload(service);
  const database = service.get(CustomerDatabase);
  const wrapping = new SettingsWrapping(new MasterKeys(next, before));
  const seen = jest.spyOn(wrapping, 'rewrap');
  let attached: Promise<unknown> | undefined;
  const documents = [{ doc_type: 'valid_ids', upload_id }];
  const attach = () => service.ask(createIndividualCustomer, commandOf(individual(merchant_id, { documents })));
  /** Between what was read and what is written. */
  const beforeWriting = async () => {
    if (seen.mock.calls.some(([, id]) => id === upload_id)) await (attached ??= attach());
  };
  const slow = {
    $queryRaw: (query: TemplateStringsArray, ...values: unknown[]) => database.$queryRaw(query, ...values),
    $executeRaw: (query: TemplateStringsArray, ...values: unknown[]) =>
      beforeWriting().then(() => database.$executeRaw(query, ...values)),
  } as unknown as CustomerDatabase;
  const rewrapped = await new Rewrapping(slow, wrapping).run(new Progress('data keys', () => undefined));
  expect(rewrapped).toMatchObject({ left_under_previous_key: 0, unreadable: 0 });
  expect(attached).toBeDefined();
  expect((await wrappedKeys()).map(({ id }) => id)).not.toContain(upload_id);
  await allOpenWith(next);
});

it('data keys move into a key management service, and to the next version of its key', async () => {
  const token = 'token-of-the-kms';
  const kms = await TransitServer.start({ tokens: { [token]: ['encrypt', 'decrypt'] } });
  kms.keys.create('personal-data');
  const outside = () =>
    new TransitWrapping(new TransitClient({ url: kms.url, key: 'personal-data', token, timeoutMs: 4_000 }), 60_000);
  const { result: customer } = await create(service);
  const keys = (await wrappedKeys()).length;
  const here = new SettingsWrapping(new MasterKeys(before));
  expect((await rewrapWith(new MovingWrapping(outside(), here))).result).toEqual(done(keys));
  kms.keys.rotate('personal-data');
  expect((await rewrapWith(outside())).result).toEqual(done(keys));
  kms.keys.configure('personal-data', { min_decryption_version: 2 });
  const moved = await instanceWith({
    PERSONAL_DATA_KEY: '',
    PERSONAL_DATA_KEYS: 'transit',
    PERSONAL_DATA_TRANSIT_URL: kms.url,
    PERSONAL_DATA_TRANSIT_TOKEN: token,
  });
  expect(await emailAt(moved, customer.id)).toBe(customer.email);
  expect((await rewrapWith(outside())).result).toEqual(done(0));
  await kms.stop();
});
