import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { createWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { MerchantReads } from '@stablecoin/persistence/merchant-reads';
import { commandOf } from '@stablecoin/testing/command-of';
import { Client } from 'pg';
import { BY, individual, RunningCustomer } from '../testing/running-service';

let service: RunningCustomer;
let owner: Client;
let reads: MerchantReads;
let merchants: string[];

beforeAll(async () => {
  service = await RunningCustomer.start();
  reads = service.get(MerchantReads);
  owner = new Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
  merchants = [];
  for (const name of ['One', 'Other']) {
    const fields = { name, email: 'shop@merchant.example', mode: 'test', scopes: ['read'], payoutFee: null } as const;
    const { merchant_id } = await service.get(MerchantRegistry).register(fields, BY);
    await service.ask(createIndividualCustomer, commandOf(individual(merchant_id)));
    const webhook = { merchant_id, key_mode: 'test', url: 'https://shop.example/hook' };
    await service.ask(createWebhook, commandOf(webhook));
    merchants.push(merchant_id);
  }
});
afterAll(async () => {
  await owner.end();
  await service.stop();
});

/** The merchants whose rows a statement that forgot its condition shows to this one, by table. */
async function shown(merchantId: string): Promise<Record<string, string[]>> {
  const ask = reads.of(merchantId);
  type Rows = { of: string }[];
  const tables = {
    merchants: await ask.$queryRaw<Rows>`SELECT DISTINCT id::text AS of FROM merchants`,
    api_keys: await ask.$queryRaw<Rows>`SELECT DISTINCT merchant_id::text AS of FROM api_keys`,
    customers: await ask.$queryRaw<Rows>`SELECT DISTINCT merchant_id::text AS of FROM customers`,
    webhook_endpoints: await ask.$queryRaw<Rows>`SELECT DISTINCT merchant_id::text AS of FROM webhook_endpoints`,
    events: await ask.$queryRaw<Rows>`SELECT DISTINCT merchant_id::text AS of FROM events`,
  };
  return Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.map((row) => row.of)]));
}

describe('a statement for a merchant that forgot its condition', () => {
  it('shows the rows of this merchant alone, in every table', async () => {
    for (const merchant of merchants) {
      const own = [merchant];
      const tables = { merchants: own, api_keys: own, customers: own, webhook_endpoints: own, events: own };
      expect(await shown(merchant)).toEqual(tables);
    }
  });

  it('shows nothing to a merchant that is none', async () => {
    const tables = await shown('018f0000-0000-7000-8000-000000000000');
    for (const rows of Object.values(tables)) expect(rows).toEqual([]);
  });

  it.each(['documents', 'document_parts', 'webhook_secrets', 'command_results', 'operator_acts', 'screenings'])(
    'is refused on %s',
    async (table) => {
      const template = Object.assign([`SELECT * FROM ${table}`], { raw: [] });
      await expect(reads.of(merchants[0] as string).$queryRaw(template)).rejects.toThrow('permission denied');
    },
  );

  it('does not read the hash of a key', async () => {
    const [merchant] = merchants as [string];
    await expect(reads.of(merchant).$queryRaw`SELECT key_hash FROM api_keys`).rejects.toThrow('permission denied');
  });
});

describe('the role of merchants', () => {
  it('reads no table without a policy, but sealed keys, how events fared, and whether there are lists', async () => {
    const { rows } = await owner.query<{ name: string }>(`
      SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = 'public'::regnamespace
        AND has_any_column_privilege('customer_merchant', oid, 'SELECT')
        AND NOT (relrowsecurity AND EXISTS (SELECT FROM pg_policy
          WHERE polrelid = pg_class.oid AND 'customer_merchant'::regrole = ANY (polroles)))
      ORDER BY relname`);
    expect(rows.map(({ name }) => name)).toEqual(['data_keys', 'event_deliveries', 'screening_lists']);
  });

  it('writes nothing', async () => {
    const { rows } = await owner.query(`
      SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
        AND has_any_column_privilege('customer_merchant', oid, 'INSERT, UPDATE')`);
    expect(rows).toEqual([]);
  });
});
