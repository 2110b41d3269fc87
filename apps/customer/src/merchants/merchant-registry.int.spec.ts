import { resolveApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { API_KEY_CHANGED, isApiKeyChanged } from '@stablecoin/contracts/customer/api-key-changed';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { hashApiKey } from '@stablecoin/customer-store/merchants/api-key';
import { MerchantRegistry, NewMerchant, shardOf } from '@stablecoin/customer-store/merchants/merchant-registry';
import { Announcements } from '@stablecoin/messaging/announcements';
import { eventually } from '@stablecoin/testing/eventually';
import { KeyUses } from './key-uses';
import { BY, refusalOf, RunningCustomer } from '../testing/running-service';

const SANDBOX_KEY = 'sk_test_of_the_integration_tests';
const SHOP: NewMerchant = { name: 'Shop', email: null, mode: 'test', scopes: ['read', 'payout'], payoutFee: null };

describe('merchants and their keys', () => {
  let service: RunningCustomer;
  let merchants: MerchantRegistry;

  beforeAll(async () => {
    service = await RunningCustomer.start({ SANDBOX_API_KEY: SANDBOX_KEY, LEDGER_SHARDS: '3' });
    merchants = service.get(MerchantRegistry);
  });
  afterAll(() => service.stop());
  afterEach(() => jest.restoreAllMocks());

  const resolve = (key: string) => service.ask(resolveApiKey, { key_hash: hashApiKey(key) });
  const inHours = (hours: number) =>
    jest.spyOn(service.clock, 'now').mockReturnValue(new Date(Date.now() + hours * 3_600_000));

  it('resolves a key to its merchant, mode, scopes, shard and fee', async () => {
    const { merchant_id, api_key } = await merchants.register(
      {
        ...SHOP,
        mode: 'live',
        payoutFee: { flat: '1.5', basis_points: 25 },
      },
      BY,
    );
    expect(api_key).toMatch(/^sk_live_[A-Za-z0-9_-]{43}$/);
    expect(await resolve(api_key)).toEqual({
      api_key_id: expect.any(String),
      merchant_id,
      mode: 'live',
      scopes: ['read', 'payout'],
      shard: shardOf(merchant_id, 3),
      payout_fee_schedule: { flat: '1.50000000', basis_points: 25 },
      allowed_addresses: [],
      signer_id: expect.any(String),
    });
  });

  it('gives a key its own signer, which rotations and further keys of the same person pass on', async () => {
    const { merchant_id, api_key } = await merchants.register(SHOP, BY);
    const { api_key_id, signer_id } = await resolve(api_key);
    expect(signer_id).toBe(api_key_id);
    const first = await merchants.rotateKey(merchant_id, { graceHours: 1 }, BY);
    const second = await merchants.rotateKey(merchant_id, { graceHours: 1, named: { keyId: first.key_id } }, BY);
    const key = { scopes: ['approve'], allowedAddresses: [] };
    const same = await merchants.addKey(merchant_id, { ...key, samePersonAs: second.key_id }, BY);
    const other = await merchants.addKey(merchant_id, key, BY);
    const signers = await Promise.all([first, second, same, other].map((each) => resolve(each.api_key)));
    expect(signers.map((each) => each.signer_id)).toEqual([signer_id, signer_id, signer_id, other.key_id]);
    const otherMerchant = await merchants.register(SHOP, BY);
    const named = { ...key, samePersonAs: second.key_id };
    await expect(merchants.addKey(otherMerchant.merchant_id, named, BY)).rejects.toThrow(
      'The merchant has no such key.',
    );
  });

  it('keeps no key: its hash only', async () => {
    const { api_key } = await merchants.register(SHOP, BY);
    const rows = await service.sql('SELECT * FROM api_keys');
    expect(JSON.stringify(rows)).toContain(hashApiKey(api_key));
    expect(JSON.stringify(rows)).not.toContain(api_key.slice(8));
  });

  it('gives the old key its grace after a rotation, no longer', async () => {
    const { merchant_id, api_key: old } = await merchants.register(SHOP, BY);
    const rotated = await merchants.rotateKey(merchant_id, { graceHours: 24 }, BY);
    expect(rotated).toMatchObject({ merchant_id, api_key: expect.stringMatching(/^sk_test_/) });
    expect(Date.parse(rotated.previous_keys_expire_at) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    expect(await resolve(rotated.api_key)).toMatchObject({ merchant_id, scopes: ['read', 'payout'] });
    inHours(23.9);
    await resolve(old);
    inHours(24.1);
    expect(await refusalOf(resolve(old))).toBe('invalid_api_key');
    await resolve(rotated.api_key);
  });

  it('ends the old key at once without grace, and never prolongs one', async () => {
    const { merchant_id, api_key: first } = await merchants.register(SHOP, BY);
    const second = await merchants.rotateKey(merchant_id, { graceHours: 0 }, BY);
    expect(await refusalOf(resolve(first))).toBe('invalid_api_key');
    const third = await merchants.rotateKey(merchant_id, { graceHours: 1 }, BY);
    const again = await merchants.rotateKey(merchant_id, { graceHours: 168, named: { keyId: second.key_id } }, BY);
    expect(again.previous_keys_expire_at).toBe(third.previous_keys_expire_at);
    inHours(1.1);
    expect(await refusalOf(resolve(second.api_key))).toBe('invalid_api_key');
    await resolve(third.api_key);
  });

  it('revokes by key and by id, for its own merchant only', async () => {
    const { merchant_id, api_key } = await merchants.register(SHOP, BY);
    const { api_key_id } = await resolve(api_key);
    const otherMerchant = await merchants.register(SHOP, BY);
    await expect(merchants.revokeKey(otherMerchant.merchant_id, { keyId: api_key_id }, BY)).rejects.toThrow(
      'no such key',
    );
    const first = await merchants.revokeKey(merchant_id, { key: api_key }, BY);
    expect(await refusalOf(resolve(api_key))).toBe('invalid_api_key');
    inHours(1);
    expect(await merchants.revokeKey(merchant_id, { keyId: api_key_id }, BY)).toEqual(first);
    expect(await merchants.listKeys(merchant_id)).toMatchObject([{ key_id: api_key_id, revoked_at: first.revoked_at }]);
    await resolve(otherMerchant.api_key);
  });

  it.each([
    ['merchants', 'payout_fee_flat = 0, payout_fee_basis_points = 0'],
    ['merchants', 'shard = 1'],
    ['merchants', `sealed_profile = 'x'`],
    ['customers', 'merchant_id = gen_random_uuid()'],
    ['customers', 'id = gen_random_uuid()'],
    ['customers', `customer_type = 'business'`],
  ])('are who they are: the service itself can not set of %s: %s', async (table, change) => {
    await expect(service.get(CustomerDatabase).$executeRawUnsafe(`UPDATE ${table} SET ${change}`)).rejects.toThrow(
      `permission denied for table ${table}`,
    );
  });

  it.each([
    [`mode = 'live'`, 'permission denied'],
    ['signer_id = gen_random_uuid()', 'permission denied'],
    [`scopes = ARRAY['payout']`, 'permission denied'],
    [`key_hash = repeat('ab', 32)`, 'permission denied'],
    ['merchant_id = gen_random_uuid()', 'permission denied'],
    [`allowed_addresses = '{}'`, 'permission denied'],
    ['revoked_at = NULL', 'stays revoked'],
    ['expires_at = NULL', 'stays revoked or expired'],
    [`expires_at = expires_at + interval '1 hour'`, 'stays revoked or expired'],
  ])('leaves a key what it is, also for the login of the service: no %s', async (change, error) => {
    const { merchant_id, api_key } = await merchants.register(SHOP, BY);
    await merchants.rotateKey(merchant_id, { graceHours: 1 }, BY);
    await merchants.revokeKey(merchant_id, { key: api_key }, BY);
    const statement = `UPDATE api_keys SET ${change} WHERE key_hash = '${hashApiKey(api_key)}'`;
    await expect(service.get(CustomerDatabase).$executeRawUnsafe(statement)).rejects.toThrow(error);
  });

  it('replaces no key that was not named where there are several, and tells which there are', async () => {
    const { merchant_id, api_key } = await merchants.register(SHOP, BY);
    const { api_key_id } = await resolve(api_key);
    const reader = await merchants.addKey(merchant_id, { scopes: ['read'], allowedAddresses: ['203.0.113.0/24'] }, BY);
    await service.get(KeyUses).write();
    const before = await merchants.listKeys(merchant_id);
    const refused: unknown = await merchants
      .rotateKey(merchant_id, { graceHours: 0 }, BY)
      .catch((error: unknown) => error);
    expect((refused as Error).message).toMatch(
      new RegExp(
        `2 valid keys: say with --key-id.*\n  ${reader.key_id}  read, never used\n  ${api_key_id}  read,payout, last used 20`,
      ),
    );
    expect(await merchants.listKeys(merchant_id)).toEqual(before);
    const rotated = await merchants.rotateKey(merchant_id, { graceHours: 0, named: { keyId: reader.key_id } }, BY);
    expect(await resolve(rotated.api_key)).toMatchObject({ scopes: ['read'], allowed_addresses: ['203.0.113.0/24'] });
    expect(await resolve(api_key)).toMatchObject({ scopes: ['read', 'payout'], allowed_addresses: [] });
    await merchants.revokeKey(merchant_id, { keyId: rotated.key_id }, BY);
    const only = await merchants.rotateKey(merchant_id, { graceHours: 0 }, BY);
    expect(only).toMatchObject({ scopes: ['read', 'payout'], replaced_key_id: api_key_id });
    await merchants.revokeKey(merchant_id, { keyId: only.key_id }, BY);
    await expect(merchants.rotateKey(merchant_id, { graceHours: 0 }, BY)).rejects.toThrow('no valid key');
  });

  it('tells the bus of a key at the commit that revokes, rotates or otherwise changes it, and of no other', async () => {
    const { merchant_id, api_key } = await merchants.register(SHOP, BY);
    const other = await merchants.addKey(merchant_id, { scopes: ['read'], allowedAddresses: [] }, BY);
    const told: string[] = [];
    const stop = service
      .get(Announcements)
      .hear(API_KEY_CHANGED, isApiKeyChanged, ({ key_hash }) => told.push(key_hash));
    const tellsOf = async (apiKey: string, change: () => Promise<unknown>) => {
      told.length = 0;
      await change();
      await eventually('the bus is told', () => told.length > 0);
      expect(told).toEqual([hashApiKey(apiKey)]);
    };
    try {
      // Until the service listens to the database, which it begins beside its start.
      await eventually('the service listens', async () => {
        const [listening] = await service.sql(
          `SELECT 1 FROM pg_stat_activity
           WHERE application_name = 'customer-changed-keys' AND query = 'SELECT 1' AND datname = current_database()`,
        );
        return listening;
      });
      await resolve(api_key);
      await service.get(KeyUses).write();
      await tellsOf(other.api_key, () => merchants.revokeKey(merchant_id, { key: other.api_key }, BY));
      await tellsOf(api_key, () =>
        service.sql('UPDATE api_keys SET scopes = $1 WHERE key_hash = $2', [['read'], hashApiKey(api_key)]),
      );
      await tellsOf(api_key, () => merchants.rotateKey(merchant_id, { graceHours: 0 }, BY));
    } finally {
      stop();
    }
  });

  it('writes when a key was last used, in batches and never back in time', async () => {
    const { merchant_id, api_key } = await merchants.register(SHOP, BY);
    const lastUse = async () => (await merchants.listKeys(merchant_id))[0]?.last_used_at;
    expect(await lastUse()).toBeNull();
    await resolve(api_key);
    inHours(2);
    await resolve(api_key);
    await service.get(KeyUses).write();
    const written = await lastUse();
    expect(Date.parse(written ?? '') - Date.now()).toBeGreaterThan(1.9 * 3_600_000);
    jest.restoreAllMocks();
    await resolve(api_key);
    await service.get(KeyUses).write();
    expect(await lastUse()).toBe(written);
  });

  it('refuses a key it never made', async () => {
    expect(await refusalOf(resolve('sk_test_never_made'))).toBe('invalid_api_key');
  });

  it('has made the sandbox merchant, once, however many instances start', async () => {
    const sandbox = await resolve(SANDBOX_KEY);
    expect(sandbox).toMatchObject({ mode: 'test', scopes: ['read', 'write', 'payout'], payout_fee_schedule: null });
    await Promise.all(Array.from({ length: 5 }, () => merchants.ensureSandboxMerchant('sk_test_of_five_instances')));
    const [row] = await service.sql<{ n: number }>('SELECT count(*)::int AS n FROM api_keys WHERE key_hash = $1', [
      hashApiKey('sk_test_of_five_instances'),
    ]);
    expect(row?.n).toBe(1);
  });

  it('spreads merchants over the shards', () => {
    const ids = Array.from({ length: 300 }, (_none, index) => `merchant ${index}`);
    const counts = [0, 1, 2].map((shard) => ids.filter((id) => shardOf(id, 3) === shard).length);
    for (const count of counts) expect(count).toBeGreaterThan(60);
  });
});
