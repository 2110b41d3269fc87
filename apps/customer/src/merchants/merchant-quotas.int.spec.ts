import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { createWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { DEFAULT_QUOTA, MerchantQuota, MerchantQuotas } from '@stablecoin/customer-store/merchants/merchant-quotas';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { commandOf } from '@stablecoin/testing/command-of';
import { BY, individual, refusalOf, RunningCustomer } from '../testing/running-service';
import { StorageFigures } from './storage-figures';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const KIB = 1_024;
let service: RunningCustomer;
let other: RunningCustomer;
let merchant_id: string;
let quotas: MerchantQuotas;

beforeAll(async () => {
  service = await RunningCustomer.start();
  other = await RunningCustomer.start({ CUSTOMER_DATABASE_URL: service.database.url });
  quotas = new MerchantQuotas(service.get(CustomerDatabase));
});
afterAll(() => Promise.all([other.stop(), service.stop()]));
beforeEach(async () => (merchant_id = await service.newMerchant()));

const set = (quota: Partial<MerchantQuota>) => quotas.set(merchant_id, quota, BY);

/** A document of one part, sent with its request for a customer. */
async function upload(bytes = 100, at = service): Promise<string> {
  const content = Buffer.concat([PNG, randomBytes(bytes - PNG.length)]);
  const upload_id = randomUUID();
  const sha256 = createHash('sha256').update(content).digest('hex');
  const part = { merchant_id, upload_id, part: 0, parts: 1, sha256, bytes: content.toString('base64') };
  await at.ask(uploadDocumentPart, part);
  return upload_id;
}
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    () => refusalOf(work),
  );
const attach = (upload_id: string) => {
  const documents = [{ doc_type: 'OTHER', upload_id }];
  return service.ask(createIndividualCustomer, commandOf(individual(merchant_id, { documents })));
};

it('has the usual one until an operator sets another, by each number alone', async () => {
  expect(await quotas.usage(merchant_id)).toMatchObject({ quota: DEFAULT_QUOTA, used: { documents: 0, api_keys: 1 } });
  await set({ documents: 5 });
  const { quota } = await set({ document_bytes: 3_000_000_000_000 });
  expect(quota).toEqual({ ...DEFAULT_QUOTA, documents: 5, document_bytes: 3_000_000_000_000 });
  await expect(quotas.usage(randomUUID())).rejects.toThrow('There is no such merchant.');
  const [act] = await service.sql<{ act: string }>('SELECT act FROM operator_acts ORDER BY number DESC LIMIT 1');
  expect(act?.act).toContain('merchants set-quota');
});

it('of uploads at once, on two instances, exactly as many pass as there is room for', async () => {
  await set({ documents: 7 });
  const uploads = Array.from({ length: 20 }, (_, index) => outcomeOf(upload(100, index % 2 ? other : service)));
  const outcomes = await Promise.all(uploads);
  expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(7);
  expect(outcomes.filter((outcome) => outcome === 'storage_quota_reached')).toHaveLength(13);
  expect((await quotas.usage(merchant_id)).used).toMatchObject({ documents: 7, document_bytes: 700 });
});

it('counts what was attached, and bytes; what is on its way with all that it may become', async () => {
  await set({ document_bytes: 1_000 * KIB });
  await attach(await upload(300 * KIB));
  // 300 KiB are there, and 384 may come of each that begins: one fits at a time.
  const outcomes = await Promise.all([outcomeOf(upload(384 * KIB)), outcomeOf(upload(384 * KIB, other))]);
  expect(outcomes.sort()).toEqual(['storage_quota_reached', 'taken']);
  expect(await refusalOf(upload(100))).toBe('storage_quota_reached');
  expect((await quotas.usage(merchant_id)).used.document_bytes).toBe(684 * KIB);
  await set({ document_bytes: 1_100 * KIB });
  await upload(100);
});

it('keeps room for the parts of a document that have not come yet', async () => {
  await set({ document_bytes: 800 * KIB });
  const bytes = Buffer.concat([PNG, randomBytes(384 * KIB - PNG.length)]).toString('base64');
  const begun = { merchant_id, upload_id: randomUUID(), parts: 2, sha256: 'a'.repeat(64), bytes };
  await service.ask(uploadDocumentPart, { ...begun, part: 0 });
  expect(await refusalOf(upload(100))).toBe('storage_quota_reached');
});

it('is of one merchant alone', async () => {
  await set({ documents: 0 });
  expect(await refusalOf(upload())).toBe('storage_quota_reached');
  merchant_id = await service.newMerchant();
  await upload();
});

it('bounds webhooks, and valid API keys', async () => {
  await set({ webhook_endpoints: 1, api_keys: 2 });
  const webhook = () =>
    service.ask(createWebhook, commandOf({ merchant_id, key_mode: 'test', url: 'https://merchant.example/hook' }));
  await webhook();
  expect(await refusalOf(webhook())).toBe('webhook_limit_reached');
  const registry = service.get(MerchantRegistry);
  const add = () => registry.addKey(merchant_id, { scopes: ['read'], allowedAddresses: [] }, BY);
  const added = await Promise.allSettled([add(), add(), add()]);
  expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  await expect(add()).rejects.toThrow('2 valid keys, and its quota is 2');
  const [key] = await registry.listKeys(merchant_id);
  await registry.revokeKey(merchant_id, { keyId: key?.key_id ?? '' }, BY);
  await add();
});

it('shows in the metrics, with those that come near it', async () => {
  await set({ documents: 2, webhook_endpoints: 20 });
  await upload();
  await upload();
  await refusalOf(upload());
  for (const instance of [service, other]) await instance.get(StorageFigures).count();
  const text = await metricsText();
  expect(text).toMatch(/^merchants_near_quota\{quota="documents"\} [1-9]/m);
  expect(text).toMatch(/^stored_document_bytes [1-9]/m);
  expect(text).toMatch(/^storage_quota_refusals_total [1-9]/m);
});
