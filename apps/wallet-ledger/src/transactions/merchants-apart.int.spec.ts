import { randomUUID } from 'node:crypto';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { MerchantReads } from '@stablecoin/persistence/merchant-reads';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';

const [ONE, OTHER] = [randomUUID(), randomUUID()];
const WALLETS = [randomUUID(), randomUUID()];
const [WALLET, OTHERS_WALLET] = WALLETS;

let files: TestDatabase;
let owner: Client;
let database: LedgerReads;
let reads: MerchantReads;

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  owner = new Client({ connectionString: files.ownerUrl });
  await owner.connect();
  for (const [merchantId, walletId] of [
    [ONE, WALLET],
    [OTHER, OTHERS_WALLET],
  ]) {
    await owner.query(
      `INSERT INTO wallets (id, shard, merchant_id, currency, address_index, created_at, updated_at, position)
       VALUES ($1, 0, $2, 'USDT', 1, now(), now(), 1)`,
      [walletId, merchantId],
    );
    await owner.query(
      `INSERT INTO account_balances (shard, account_id, currency, balance, open_transactions, updated_at)
       VALUES (0, $1, 'USDT', 5, 0, now())`,
      [walletId],
    );
    await owner.query(
      `INSERT INTO deposit_addresses (id, wallet_id, network, address, created_at)
       VALUES ($1, $2, 'erc20', $3, now())`,
      [randomUUID(), walletId, `0x${String(walletId).slice(0, 8)}`],
    );
    await owner.query(
      `INSERT INTO payout_policies (merchant_id, shard, policy_version, policy, changed_by, reason, changed_at, since_position)
       VALUES ($1, 0, 1, '{}', 'spec', 'spec', now(), 1)`,
      [merchantId],
    );
    const id = randomUUID();
    const position = merchantId === ONE ? 1 : 2;
    await owner.query(
      `INSERT INTO transactions (id, shard, position, merchant_id, transaction_id, reference_id, wallet_id, transaction_type,
         transaction_mode, currency, amount, status, balance, created_at, updated_at)
       VALUES ($1, 0, $2, $3, $4, $1, $5, 'DEPOSIT', 'CREDIT', 'USDT', 1, 'COMPLETED', 1, now(), now())`,
      [id, position, merchantId, `CODE00000${position}`, walletId],
    );
    await owner.query('INSERT INTO transaction_search (merchant_id, position, ids) VALUES ($1, $2, $3)', [
      merchantId,
      position,
      `code00000${position} ${id}`,
    ]);
  }
  database = new LedgerReads({ url: files.url, applicationName: 'spec', poolSize: 2 });
  reads = new MerchantReads(database);
});
afterAll(async () => {
  await database.$disconnect();
  await owner.end();
  await files.drop();
});

/** What a statement that forgot its condition shows to this merchant, of each table. */
const shown = async (merchantId: string) => ({
  wallets: await reads.of(merchantId).$queryRaw`SELECT id::text FROM wallets`,
  balances: await reads.of(merchantId)
    .$queryRaw`SELECT wallet_id::text, balance::int FROM merchants_balances(${WALLETS}::uuid[])`,
  addresses: await reads.of(merchantId)
    .$queryRaw`SELECT wallet_id::text FROM merchants_deposit_addresses(${WALLETS}::uuid[])`,
  policies: await reads.of(merchantId).$queryRaw`SELECT merchant_id::text FROM payout_policies`,
  transactions: await reads.of(merchantId).$queryRaw`SELECT transaction_id FROM transactions`,
  counts: await reads.of(merchantId).$queryRaw`SELECT merchant_id::text, transactions::int FROM transaction_counts`,
  found: await reads.of(merchantId).$queryRaw`SELECT merchants_transactions_with_part('%code%', 9)::int AS position`,
});

describe('a statement for a merchant that forgot its condition', () => {
  it('shows the rows of this merchant alone, in every table', async () => {
    expect(await shown(ONE)).toEqual({
      wallets: [{ id: WALLET }],
      balances: [{ wallet_id: WALLET, balance: 5 }],
      addresses: [{ wallet_id: WALLET }],
      policies: [{ merchant_id: ONE }],
      transactions: [{ transaction_id: 'CODE000001' }],
      counts: [{ merchant_id: ONE, transactions: 1 }],
      found: [{ position: 1 }],
    });
    expect(await shown(OTHER)).toMatchObject({ wallets: [{ id: OTHERS_WALLET }], found: [{ position: 2 }] });
  });

  it('shows nothing to a merchant without rows', async () => {
    for (const rows of Object.values(await shown(randomUUID()))) expect(rows).toEqual([]);
  });

  it.each([
    'ledger_events',
    'account_balances',
    'deposit_addresses',
    'command_results',
    'transaction_search',
    'closed_customers',
    'payout_usage',
    'daily_figures_progress',
  ])('is refused on %s', async (table) => {
    const template = Object.assign([`SELECT * FROM ${table}`], { raw: [] });
    await expect(reads.of(ONE).$queryRaw(template)).rejects.toThrow('permission denied');
  });
});

describe('the role of merchants', () => {
  it('reads no table without a policy, but how far the search is', async () => {
    const { rows } = await owner.query<{ name: string; policies: string[] }>(`
      SELECT relname AS name, array(SELECT polname::text FROM pg_policy
        WHERE polrelid = pg_class.oid AND 'ledger_merchant'::regrole = ANY (polroles) AND relrowsecurity) AS policies
      FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = 'public'::regnamespace
        AND has_table_privilege('ledger_merchant', oid, 'SELECT') ORDER BY relname`);
    const [open, closed] = [
      rows.filter(({ policies }) => !policies.length),
      rows.filter(({ policies }) => policies.length),
    ];
    expect(open.map(({ name }) => name)).toEqual(['transaction_search_progress']);
    expect(closed).toHaveLength(5);
  });

  it('writes nothing, and nothing else is shown to it', async () => {
    const { rows } = await owner.query(`
      SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
        AND has_table_privilege('ledger_merchant', oid, 'INSERT, UPDATE, DELETE, TRUNCATE')`);
    expect(rows).toEqual([]);
  });
});

describe('the service’s own connections', () => {
  it('see every merchant’s rows, before and after a statement for one', async () => {
    const all = () => database.$queryRaw<unknown[]>`SELECT id FROM wallets`;
    expect(await all()).toHaveLength(2);
    await Promise.all([shown(ONE), shown(OTHER)]);
    for (let turn = 0; turn < 4; turn += 1) expect(await all()).toHaveLength(2);
  });
});
