/** Keys as a merchant's people make, replace and end them at the console. */
import { randomUUID } from 'node:crypto';
import { NewApiKeyView } from '@stablecoin/contracts/customer/api-key-views';
import { createApiKey } from '@stablecoin/contracts/customer/create-api-key';
import { listApiKeys } from '@stablecoin/contracts/customer/list-api-keys';
import { resolveApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { revokeApiKey } from '@stablecoin/contracts/customer/revoke-api-key';
import { rotateApiKey } from '@stablecoin/contracts/customer/rotate-api-key';
import { hashApiKey } from '@stablecoin/customer-store/merchants/api-key';
import { MerchantQuotas } from '@stablecoin/customer-store/merchants/merchant-quotas';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { listActs, verifyActs } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { commandOf } from '@stablecoin/testing/command-of';
import { eventually } from '@stablecoin/testing/eventually';
import { BY, refusalOf, RunningCustomer } from '../testing/running-service';

const PERSON = { person_id: randomUUID(), member_id: randomUUID() };

let service: RunningCustomer;
let registry: MerchantRegistry;
beforeAll(async () => {
  service = await RunningCustomer.start();
  registry = service.get(MerchantRegistry);
});
afterAll(() => service.stop());

const newMerchant = async (scopes: ('read' | 'write' | 'payout' | 'approve')[] = ['read', 'write', 'payout']) => {
  const { merchant_id } = await registry.register(
    { name: 'S', email: null, mode: 'test', scopes, payoutFee: null },
    BY,
  );
  return merchant_id;
};
const create = async (merchant_id: string, fields: object = {}) =>
  service.ask(createApiKey, commandOf({ merchant_id, ...PERSON, name: 'Shop', scopes: ['read'], ...fields }));
const rotate = async (merchant_id: string, key_id: string, grace_hours = 1) =>
  service.ask(rotateApiKey, commandOf({ merchant_id, ...PERSON, key_id, grace_hours }));
const revoke = async (merchant_id: string, key_id: string) =>
  service.ask(revokeApiKey, commandOf({ merchant_id, ...PERSON, key_id }));
const resolve = (key: string) => service.ask(resolveApiKey, { key_hash: hashApiKey(key) });
const outcomeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'done',
    () => refusalOf(asked),
  );
const setQuota = (merchantId: string, api_keys: number) =>
  new MerchantQuotas(service.get(CustomerDatabase)).set(merchantId, { api_keys }, BY);
const firstKeyOf = async (merchantId: string) => (await registry.listKeys(merchantId)).at(-1)?.key_id ?? '';

it('a key is made of the merchant’s mode, for whose maker it signs, and listed without itself', async () => {
  const merchant_id = await newMerchant();
  const fields = { scopes: ['read', 'payout'], allowed_addresses: ['203.0.113.0/24'] };
  const { result } = await create(merchant_id, fields);
  expect(await resolve(result.api_key)).toMatchObject({
    ...{ merchant_id, mode: 'test', scopes: ['read', 'payout'], allowed_addresses: ['203.0.113.0/24'] },
    signer_id: PERSON.person_id,
  });
  const listed = await service.ask(listApiKeys, { merchant_id });
  expect(listed.scopes).toEqual(['read', 'write', 'payout']);
  expect(listed.keys[0]).toMatchObject({ id: result.id, name: 'Shop', ...fields, revoked_at: null });
  expect(JSON.stringify(listed)).not.toContain(result.api_key);
});

it('a command that comes again gives the same key, which stands nowhere in clear', async () => {
  const merchant_id = await newMerchant();
  const command = commandOf({ merchant_id, ...PERSON, name: 'Shop', scopes: ['read'] });
  const [first, again] = [await service.ask(createApiKey, command), await service.ask(createApiKey, command)];
  expect(again).toEqual({ ...first, replayed: true });
  const stored = await service.sql('SELECT result FROM command_results WHERE command_id = $1', [command.command_id]);
  expect(stored).toHaveLength(1);
  expect(JSON.stringify(stored)).not.toContain(first.result.api_key);
});

it('no key approves, and none does more than the valid keys may together', async () => {
  const reader = await newMerchant(['read', 'approve']);
  for (const scope of ['write', 'payout'])
    expect(await refusalOf(create(reader, { scopes: [scope] }))).toBe('scopes: not_grantable');
  expect(await refusalOf(create(reader, { scopes: ['approve'] }))).toBe('scopes: invalid_choice');
  expect((await service.ask(listApiKeys, { merchant_id: reader })).scopes).toEqual(['read']);
  const { key_id } = await registry.addKey(reader, { scopes: ['payout'], allowedAddresses: [] }, BY);
  await create(reader, { scopes: ['payout'] });
  for (const { key_id: each } of await registry.listKeys(reader))
    if (each !== key_id) await registry.revokeKey(reader, { keyId: each }, BY);
  expect(await refusalOf(create(reader, { scopes: ['read'] }))).toBe('scopes: not_grantable');
  await revoke(reader, key_id);
  expect(await refusalOf(create(reader, { scopes: ['payout'] }))).toBe('scopes: not_grantable');
});

it('an address that is none, and one key more than the quota, are refused', async () => {
  const merchant_id = await newMerchant();
  for (const address of ['example.com', '203.0.113.1/33', '203.0.113.1 '])
    expect(await refusalOf(create(merchant_id, { allowed_addresses: [address] }))).toBe(
      'allowed_addresses: invalid_address_range',
    );
  await setQuota(merchant_id, 2);
  await create(merchant_id);
  expect(await refusalOf(create(merchant_id))).toBe('keys: too_many');
});

it('a rotation keeps scopes, addresses and name, says what it replaces, and signs for who has made it', async () => {
  const merchant_id = await newMerchant();
  const fields = { scopes: ['read', 'write'], allowed_addresses: ['203.0.113.7'] };
  const { result: made } = await create(merchant_id, fields);
  const { result } = await rotate(merchant_id, made.id);
  expect(result).toMatchObject({ ...fields, replaces: made.id });
  expect(Date.parse(result.replaced_expires_at) - Date.now()).toBeLessThanOrEqual(3_600_000);
  const both = await Promise.all([made, result].map((key: NewApiKeyView) => resolve(key.api_key)));
  expect(both.map(({ signer_id }) => signer_id)).toEqual([PERSON.person_id, PERSON.person_id]);
  expect((await service.ask(listApiKeys, { merchant_id })).keys[0]).toMatchObject({ id: result.id, name: 'Shop' });
  await rotate(merchant_id, result.id, 0);
  expect(await refusalOf(resolve(result.api_key))).toBe('invalid_api_key');
  expect(await refusalOf(rotate(merchant_id, result.id))).toBe('key_id: key_ended');
  const first = await rotate(merchant_id, await firstKeyOf(merchant_id));
  expect((await resolve(first.result.api_key)).signer_id).toBe(PERSON.person_id);
});

it('of two rotations of one key at once, the second one is refused by what the first one has made of it', async () => {
  const merchant_id = await newMerchant();
  const key_id = await firstKeyOf(merchant_id);
  const rotations = await Promise.all([1, 2].map(() => outcomeOf(rotate(merchant_id, key_id, 0))));
  expect(rotations.sort()).toEqual(['done', 'key_id: key_ended']);
});

const KEY_ENDED = { 'at the console': 'key_id: key_ended', 'by the command line': 'The key has ended' };
it.each(['at the console', 'by the command line'] as const)(
  'a rotation %s waits for one by an instance of the version before, which locks the merchant, and is decided by what it made',
  async (place) => {
    const merchant_id = await newMerchant();
    const key_id = await firstKeyOf(merchant_id);
    const rotation = () =>
      place === 'at the console'
        ? rotate(merchant_id, key_id)
        : registry.rotateKey(merchant_id, { graceHours: 1, named: { keyId: key_id } }, BY);
    await service.sql('BEGIN');
    await service.sql('SELECT 1 FROM merchants WHERE id = $1 FOR UPDATE', [merchant_id]);
    await service.sql('UPDATE api_keys SET expires_at = clock_timestamp() WHERE id = $1', [key_id]);
    const outcome = rotation().then(
      () => 'done',
      (error: unknown) => (error instanceof Refusal ? refusalOf(Promise.reject(error)) : String(error)),
    );
    await eventually('the rotation waits', async () => {
      const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
      return (await service.sql(waiting)).length > 0;
    });
    await service.sql('COMMIT');
    expect(await outcome).toContain(KEY_ENDED[place]);
    expect(await registry.listKeys(merchant_id)).toHaveLength(1);
  },
);

it('a key that was replaced is replaced again only where the quota has room, also of two rotations at once', async () => {
  const merchant_id = await newMerchant();
  await setQuota(merchant_id, 2);
  const { result: made } = await create(merchant_id);
  const rotations = await Promise.all([1, 2].map(() => outcomeOf(rotate(merchant_id, made.id))));
  expect(rotations.sort()).toEqual(['done', 'key_id: key_replaced']);
  expect(await outcomeOf(rotate(merchant_id, made.id, 0))).toBe('key_id: key_replaced');
  await expect(registry.rotateKey(merchant_id, { graceHours: 0, named: { keyId: made.id } }, BY)).rejects.toThrow(
    /was replaced before/,
  );
  await revoke(merchant_id, await firstKeyOf(merchant_id));
  expect(await outcomeOf(rotate(merchant_id, made.id))).toBe('key_id: key_replaced');
  await setQuota(merchant_id, 3);
  expect(await outcomeOf(rotate(merchant_id, made.id))).toBe('done');
});

it('of keys that were replaced and still work there are no more than the quota again', async () => {
  const merchant_id = await newMerchant();
  await setQuota(merchant_id, 2);
  let newest = await firstKeyOf(merchant_id);
  for (const grace of [1, 1, 1]) newest = (await rotate(merchant_id, newest, grace)).result.id;
  expect(await refusalOf(rotate(merchant_id, newest))).toBe('grace_hours: too_many');
  await expect(registry.rotateKey(merchant_id, { graceHours: 1, named: { keyId: newest } }, BY)).rejects.toThrow(
    /replaced and still work as may be/,
  );
  newest = (await rotate(merchant_id, newest, 0)).result.id;
  await revoke(merchant_id, await firstKeyOf(merchant_id));
  expect(await outcomeOf(rotate(merchant_id, newest))).toBe('done');
});

it('a key that approves, and one of the same person, is not replaced but by the operator', async () => {
  const merchant_id = await newMerchant();
  const key_id = await firstKeyOf(merchant_id);
  const tied = { scopes: ['approve'], allowedAddresses: [], samePersonAs: key_id };
  const approving = await registry.addKey(merchant_id, tied, BY);
  for (const each of [key_id, approving.key_id])
    expect(await refusalOf(rotate(merchant_id, each))).toBe('key_id: key_approves');
  await revoke(merchant_id, approving.key_id);
  expect((await rotate(merchant_id, key_id)).result.replaces).toBe(key_id);
});

it("another merchant's key is not found", async () => {
  const [mine, theirs] = [await newMerchant(), await newMerchant()];
  const key_id = await firstKeyOf(theirs);
  expect(await refusalOf(rotate(mine, key_id))).toBe('not_found');
  expect(await refusalOf(revoke(mine, key_id))).toBe('not_found');
  expect(await refusalOf(service.ask(listApiKeys, { merchant_id: randomUUID() }))).toBe('not_found');
});

it('each change is on the chained record with the person, and no key or name is', async () => {
  const merchant_id = await newMerchant();
  const { result: made } = await create(merchant_id, { name: 'Planted name' });
  const { result: next } = await rotate(merchant_id, made.id);
  await revoke(merchant_id, next.id);
  const database = service.get(CustomerDatabase);
  const acts = (await listActs(database, { since: undefined, limit: 3 })).reverse();
  const actor = `person ${PERSON.person_id}, member ${PERSON.member_id}`;
  expect(acts).toMatchObject([
    { action: 'merchants add-key', merchant_id, actor, details: { key_id: made.id, scopes: ['read'] } },
    { action: 'merchants rotate-key', merchant_id, actor, details: { key_id: next.id, replaces: made.id } },
    { action: 'merchants revoke-key', merchant_id, actor, details: { key_id: next.id } },
  ]);
  for (const hidden of [made.api_key, next.api_key, 'Planted name']) expect(JSON.stringify(acts)).not.toContain(hidden);
  expect((await verifyActs(database)).fault).toBeNull();
});
