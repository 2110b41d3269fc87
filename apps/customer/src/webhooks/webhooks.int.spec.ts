import { randomUUID } from 'node:crypto';
import { createWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { deleteWebhook } from '@stablecoin/contracts/customer/delete-webhook';
import { getWebhook } from '@stablecoin/contracts/customer/get-webhook';
import { listWebhooks } from '@stablecoin/contracts/customer/list-webhooks';
import { rotateWebhookSecret } from '@stablecoin/contracts/customer/rotate-webhook-secret';
import { testWebhook } from '@stablecoin/contracts/customer/test-webhook';
import { updateWebhook } from '@stablecoin/contracts/customer/update-webhook';
import { commandOf } from '@stablecoin/testing/command-of';
import { refusalOf, RunningCustomer } from '../testing/running-service';
import { DEFAULT_QUOTA } from '@stablecoin/customer-store/merchants/merchant-quotas';

const URL = 'https://merchant.example/hooks';

describe('webhooks', () => {
  let service: RunningCustomer;
  let merchant_id: string;

  beforeAll(async () => {
    service = await RunningCustomer.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    merchant_id = await service.newMerchant();
  });

  const command = (fields: object = {}, commandId?: string) =>
    commandOf({ merchant_id, key_mode: 'test', url: URL, ...fields }, commandId);
  const create = (fields?: object, commandId?: string) => service.ask(createWebhook, command(fields, commandId));

  it('are created with a secret, which only the first reply and its repetitions contain', async () => {
    const id = randomUUID();
    const first = await create({ events: ['payout.failed'], description: 'Payout desk' }, id);
    const { secret, ...webhook } = first.result;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      id: expect.any(String) as unknown,
      url: URL,
      description: 'Payout desk',
      events: ['payout.failed'],
      status: 'enabled',
      created_at: expect.any(String) as unknown,
      updated_at: webhook.created_at,
    });
    expect(await create({ events: ['payout.failed'], description: 'Payout desk' }, id)).toEqual({
      ...first,
      replayed: true,
    });
    expect(await service.ask(getWebhook, { merchant_id, webhook_id: webhook.id })).toEqual(webhook);
    expect(await service.ask(listWebhooks, { merchant_id })).toEqual({
      items: [webhook],
      total: 1,
      page: 1,
      limit: 20,
    });
  });

  it.each<[string, 'test' | 'live', string | undefined]>([
    ['http://127.0.0.1:4000/', 'test', undefined],
    ['http://127.0.0.1:4000/', 'live', 'url: invalid_url'],
    ['https://localhost/', 'live', 'url: invalid_url'],
    ['https://10.0.0.1/', 'test', 'url: private_address'],
    ['https://169.254.169.254/latest', 'live', 'url: private_address'],
    ['https://[fd00::1]/', 'live', 'url: private_address'],
    ['https://[2600::1]/', 'live', undefined],
    ['https://merchant.example/', 'live', undefined],
  ])('%s with a %s key: %s', async (url, key_mode, refused) => {
    const asked = create({ url, key_mode });
    if (refused) expect(await refusalOf(asked)).toBe(refused);
    else expect((await asked).result.url).toBe(url);
  });

  it('change in the given fields, and in nothing else', async () => {
    const { id: webhook_id } = (await create({ events: ['payout.failed'], description: 'Payout desk' })).result;
    const before = await service.ask(getWebhook, { merchant_id, webhook_id });
    const change = async (fields: object) =>
      (await service.ask(updateWebhook, command({ webhook_id, url: undefined, ...fields }))).result;
    const later = expect.any(String) as unknown;
    expect(await change({})).toEqual({ ...before, updated_at: later });
    expect(await change({ url: 'https://other.example/' })).toMatchObject({
      ...before,
      ...{ url: 'https://other.example/', updated_at: later },
    });
    expect(await change({ events: null, description: null, status: 'disabled' })).toEqual({
      ...before,
      url: 'https://other.example/',
      events: null,
      description: null,
      status: 'disabled',
      updated_at: later,
    });
    const now = await change({ status: 'enabled', events: ['payout.completed'] });
    expect(now).toMatchObject({ status: 'enabled', events: ['payout.completed'] });
    expect(await service.ask(getWebhook, { merchant_id, webhook_id })).toEqual(now);
  });

  it('don’t change to where they couldn’t be made, nor for another merchant, nor once deleted', async () => {
    const { id: webhook_id } = (await create()).result;
    const change = (fields: object) => service.ask(updateWebhook, command({ webhook_id, ...fields }));
    expect(await refusalOf(change({ url: 'https://10.0.0.1/' }))).toBe('url: private_address');
    expect(await refusalOf(change({ url: 'http://127.0.0.1:4000/', key_mode: 'live' }))).toBe('url: invalid_url');
    expect(await refusalOf(change({ merchant_id: await service.newMerchant() }))).toBe('not_found');
    await service.ask(deleteWebhook, commandOf({ merchant_id, webhook_id }));
    expect(await refusalOf(change({ status: 'enabled' }))).toBe('not_found');
  });

  it('are bounded in number per merchant, also when they are created at once', async () => {
    for (let count = 0; count < DEFAULT_QUOTA.webhook_endpoints - 1; count += 1) await create();
    const outcomes = await Promise.all(
      Array.from({ length: 3 }, () =>
        create().then(
          ({ result }) => result.id,
          (error: unknown) => (error as Error).message,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'webhook_limit_reached')).toHaveLength(2);
    const webhook_id = outcomes.find((outcome) => outcome !== 'webhook_limit_reached');
    await service.ask(deleteWebhook, commandOf({ merchant_id, webhook_id }));
    expect((await create()).result.status).toBe('enabled');
  });

  it('are visible to their merchant only, and not once they are deleted', async () => {
    const { result } = await create();
    const operations = [deleteWebhook, rotateWebhookSecret, testWebhook] as (typeof deleteWebhook)[];
    const ask = (owner: string, operation: typeof deleteWebhook) =>
      refusalOf(service.ask(operation, commandOf({ merchant_id: owner, webhook_id: result.id })));
    const otherMerchant = await service.newMerchant();
    for (const operation of operations) expect(await ask(otherMerchant, operation)).toBe('not_found');
    expect(await refusalOf(service.ask(getWebhook, { merchant_id: otherMerchant, webhook_id: result.id }))).toBe(
      'not_found',
    );
    expect((await service.ask(listWebhooks, { merchant_id: otherMerchant })).total).toBe(0);
    await service.ask(deleteWebhook, commandOf({ merchant_id, webhook_id: result.id }));
    for (const operation of operations) expect(await ask(merchant_id, operation)).toBe('not_found');
    expect(await refusalOf(service.ask(getWebhook, { merchant_id, webhook_id: result.id }))).toBe('not_found');
    expect((await service.ask(listWebhooks, { merchant_id })).total).toBe(0);
  });

  it('have one current secret, however many rotations run at once', async () => {
    const { result } = await create();
    const rotate = () => service.ask(rotateWebhookSecret, commandOf({ merchant_id, webhook_id: result.id }));
    const secrets = (await Promise.all([rotate(), rotate(), rotate()])).map((reply) => reply.result.secret);
    expect(new Set([...secrets, result.secret]).size).toBe(4);
    const current = 'SELECT 1 FROM webhook_secrets WHERE endpoint_id = $1 AND expires_at IS NULL';
    expect(await service.sql(current, [result.id])).toHaveLength(1);
  });

  it('may not be on this machine where that is switched off', async () => {
    const strict = await RunningCustomer.start({
      CUSTOMER_DATABASE_URL: service.database.url,
      WEBHOOK_ALLOW_LOOPBACK: 'false',
    });
    try {
      const asked = strict.ask(createWebhook, command({ url: 'http://127.0.0.1:4000/' }));
      expect(await refusalOf(asked)).toBe('url: invalid_url');
    } finally {
      await strict.stop();
    }
  });
});
