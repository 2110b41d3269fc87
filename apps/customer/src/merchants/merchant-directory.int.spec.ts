import { randomUUID } from 'node:crypto';
import { getMerchant } from '@stablecoin/contracts/customer/get-merchant';
import { listMerchants } from '@stablecoin/contracts/customer/list-merchants';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { BY, refusalOf, RunningCustomer } from '../testing/running-service';

const EMAIL = 'planted@merchant.example';
let service: RunningCustomer;

beforeEach(async () => {
  service = await RunningCustomer.start({ LEDGER_SHARDS: '3' });
});
afterEach(() => service.stop());

const register = (name: string, mode: 'test' | 'live' = 'test') =>
  service
    .get(MerchantRegistry)
    .register({ name, email: EMAIL, mode, scopes: ['read'], payoutFee: null }, BY)
    .then(({ merchant_id }) => merchant_id);
const listed = async (asked: object = {}) => {
  const { items, total } = await service.ask(listMerchants, asked);
  return { names: items.map(({ name }) => name), total };
};

it('merchants are listed newest first, in pages, without their e-mail addresses', async () => {
  for (const name of ['One', 'Two', 'Three']) await register(name, name === 'Two' ? 'live' : 'test');
  expect(await listed()).toEqual({ names: ['Three', 'Two', 'One'], total: 3 });
  expect(await listed({ page: 2, limit: 2 })).toEqual({ names: ['One'], total: 3 });
  const page = await service.ask(listMerchants, {});
  expect(page.items[1]).toEqual({
    ...{ merchant_id: expect.any(String) as unknown, name: 'Two', mode: 'live', status: 'active' },
    ...{ shard: expect.any(Number) as unknown, created_at: expect.any(String) as unknown, valid_keys: 1 },
    last_used_at: null,
  });
  expect(JSON.stringify(page)).not.toContain(EMAIL);
});

it('a merchant is found by its id, or a part of its name in either case', async () => {
  const marina = await register('Marina Traders');
  await register('Harbour Foods');
  expect(await listed({ search: 'tRAD' })).toEqual({ names: ['Marina Traders'], total: 1 });
  expect(await listed({ search: marina.toUpperCase() })).toEqual({ names: ['Marina Traders'], total: 1 });
  expect(await listed({ search: 'r' })).toMatchObject({ total: 2 });
  expect(await listed({ search: '%' })).toEqual({ names: [], total: 0 });
  expect(await listed({ search: randomUUID() })).toEqual({ names: [], total: 0 });
});

it('a name that was sealed anew is read anew', async () => {
  const merchant_id = await register('First');
  expect(await listed({ search: 'first' })).toMatchObject({ total: 1 });
  const [key] = await service.sql<{ wrapped_key: string }>('SELECT wrapped_key FROM data_keys');
  const seal = await service.get(PersonalData).sealOf(merchant_id, key?.wrapped_key ?? '');
  const sealed = seal.seal('profile', { name: 'Second', email: null });
  await service.sql('UPDATE merchants SET sealed_profile = $1', [sealed]);
  expect(await listed({ search: 'first' })).toMatchObject({ total: 0 });
  expect(await listed({ search: 'second' })).toEqual({ names: ['Second'], total: 1 });
});

it('one is looked up with how many of its keys are valid', async () => {
  const merchant_id = await register('Marina Traders');
  expect(await service.ask(getMerchant, { merchant_id })).toMatchObject({
    merchant_id,
    status: 'active',
    valid_keys: 1,
  });
  await service.sql('UPDATE api_keys SET revoked_at = now() WHERE merchant_id = $1', [merchant_id]);
  expect(await service.ask(getMerchant, { merchant_id })).toMatchObject({ status: 'no_valid_key', valid_keys: 0 });
  expect(await refusalOf(service.ask(getMerchant, { merchant_id: randomUUID() }))).toBe('not_found');
});
