import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { CustomerConfiguration } from '../customer.configuration';

/** A database that was just restored may still be away. */
const RETRY_MS = 500;
/** A database that is restored beneath a running service. */
const LOOK_MS = 60_000;

/**
 * Erases again whom a restored database has brought back. Nest subscribes to the bus after this has looked once: so a customer who
 * was erased is seen by no request.
 */
@Injectable()
export class ErasedCustomers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ErasedCustomers.name);
  private readonly loop: BackgroundLoop;
  private readonly firstLook: Promise<void>;
  private lookedOnce: () => void = () => undefined;

  constructor(
    private readonly configuration: CustomerConfiguration,
    private readonly administration: CustomerAdministration,
  ) {
    this.firstLook = new Promise((resolve) => (this.lookedOnce = resolve));
    this.loop = new BackgroundLoop({
      pass: async () => {
        await this.look();
        return LOOK_MS;
      },
      failed: (error) => {
        this.log.warn({ msg: 'erasures were not held against the database', problem: (error as Error).message });
        return RETRY_MS;
      },
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.configuration.erasuresFile === null) return;
    this.loop.start();
    await this.firstLook;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.lookedOnce();
    await this.loop.stop();
  }

  private async look(): Promise<void> {
    const again = await this.administration.eraseAgain();
    if (again.length > 0)
      this.log.error({
        msg: 'customers were erased again: an older database was restored, or their keys were put back',
        again,
      });
    this.lookedOnce();
  }
}
