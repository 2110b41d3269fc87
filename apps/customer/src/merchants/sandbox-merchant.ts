import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { CustomerConfiguration } from '../customer.configuration';
import { MerchantRegistry } from './merchant-registry';

/** At every start: whoever runs the service with a sandbox key can use it at once. */
@Injectable()
export class SandboxMerchant implements OnApplicationBootstrap {
  constructor(
    private readonly configuration: CustomerConfiguration,
    private readonly merchants: MerchantRegistry,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { sandboxApiKey } = this.configuration;
    if (sandboxApiKey) await this.merchants.ensureSandboxMerchant(sandboxApiKey);
  }
}
