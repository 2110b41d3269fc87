import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { CustomerConfiguration } from '../customer.configuration';
import { SandboxMerchant } from './sandbox-merchant';

/** A registry whose first answers are these errors. */
function starting(...errors: Error[]) {
  const asked: string[] = [];
  const registry = {
    ensureSandboxMerchant: async (apiKey: string) => {
      asked.push(apiKey);
      const error = errors.shift();
      if (error) throw error;
    },
  } as unknown as MerchantRegistry;
  const configuration = { sandboxApiKey: 'key' } as CustomerConfiguration;
  return { asked, started: new SandboxMerchant(configuration, registry).onApplicationBootstrap() };
}

describe('the sandbox merchant at a start', () => {
  it('is registered by another attempt while the database does not answer', async () => {
    const { asked, started } = starting(Object.assign(new Error('no connection in time'), { code: 'P2028' }));
    await started;
    expect(asked).toEqual(['key', 'key']);
  });

  it('is not tried again after any other error', async () => {
    const { asked, started } = starting(new Error('wrong'));
    await expect(started).rejects.toThrow('wrong');
    expect(asked).toEqual(['key']);
  });
});
