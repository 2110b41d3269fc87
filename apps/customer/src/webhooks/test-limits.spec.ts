import { randomUUID } from 'node:crypto';
import { TestWebhook } from '@stablecoin/contracts/customer/test-webhook';
import { TestLimits } from './test-limits';

const testOf = (merchant_id: string, webhook_id: string, command_id: string = randomUUID()): TestWebhook =>
  Object.assign(new TestWebhook(), { merchant_id, webhook_id, command_id });

const hanging = () => new Promise<never>(() => undefined);
const refused = expect.objectContaining({ code: 'rate_limited' }) as Error;

describe('tests of webhooks under way', () => {
  it('are one per endpoint, and the next is refused before it begins', async () => {
    const limits = new TestLimits();
    void limits.within(testOf('merchant', 'endpoint'), hanging);
    const begun = jest.fn(hanging);
    await expect(limits.within(testOf('merchant', 'endpoint'), begun)).rejects.toEqual(refused);
    expect(begun).not.toHaveBeenCalled();
  });

  it('are two per merchant, whatever others have', async () => {
    const limits = new TestLimits();
    for (const endpoint of ['one', 'two']) void limits.within(testOf('merchant', endpoint), hanging);
    await expect(limits.within(testOf('merchant', 'three'), hanging)).rejects.toEqual(refused);
    expect(await limits.within(testOf('other', 'four'), () => Promise.resolve('tested'))).toBe('tested');
  });

  it('are sixteen in all', async () => {
    const limits = new TestLimits();
    for (let count = 0; count < 16; count += 1)
      void limits.within(testOf(`merchant ${count}`, `endpoint ${count}`), hanging);
    await expect(limits.within(testOf('merchant', 'endpoint'), hanging)).rejects.toEqual(refused);
  });

  it('leave their place when they end, also with an error', async () => {
    const limits = new TestLimits();
    const failing = () => limits.within(testOf('merchant', 'endpoint'), () => Promise.reject(new Error('not found')));
    for (let count = 0; count < 3; count += 1) await expect(failing()).rejects.toThrow('not found');
  });

  it('repeated while they are under way are in flight', async () => {
    const limits = new TestLimits();
    void limits.within(testOf('merchant', 'endpoint', 'the same'), hanging);
    const repeat = limits.within(testOf('merchant', 'endpoint', 'the same'), hanging);
    await expect(repeat).rejects.toMatchObject({ code: 'idempotency_in_flight' });
  });
});
