import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { CustomerConfiguration } from '../customer.configuration';

const TRIES = 20;
const PAUSE_MS = 500;

/**
 * At every start registers the sandbox merchant, so that its configured key works at once. While the database is slow
 * to answer, perhaps because many processes start at once, it tries again and the start goes on.
 */
@Injectable()
export class SandboxMerchant implements OnApplicationBootstrap {
  private readonly log = new Logger(SandboxMerchant.name);

  constructor(
    private readonly configuration: CustomerConfiguration,
    private readonly merchants: MerchantRegistry,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { sandboxApiKey } = this.configuration;
    if (sandboxApiKey) await this.ensure(sandboxApiKey);
  }

  private async ensure(apiKey: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.merchants.ensureSandboxMerchant(apiKey);
        return;
      } catch (error) {
        if (tries === TRIES || databaseFailure(error).kind === 'bug') throw error;
        this.log.warn(`the sandbox merchant can't be looked for yet: ${(error as Error).message}`);
        await delay(PAUSE_MS);
      }
    }
  }
}
