import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { DatabaseWatch } from '@stablecoin/persistence/database-watch';
import { HOME_DATABASE } from '@stablecoin/service-host/repeated-settings';
import { readAtScrape } from '@stablecoin/telemetry/metrics/instruments';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { LedgerDatabases } from './ledger-databases';

/**
 * Where there are several databases: whether each answers, over a connection for that alone. What concerns a lost one is refused
 * at once, because requests that wait for it would take the places of those that need another. With one database there is
 * none to be protected, and no watch.
 */
@Injectable()
export class DatabaseWatches implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly watches: readonly DatabaseWatch[];
  private stopMeasuring = (): void => undefined;

  constructor(
    { databaseUrl, furtherDatabases }: WalletLedgerConfiguration,
    private readonly databases: LedgerDatabases,
  ) {
    const all = databases.areSeveral ? [{ name: HOME_DATABASE, url: databaseUrl }, ...furtherDatabases] : [];
    this.watches = all.map(
      ({ name, url }) =>
        new DatabaseWatch(
          { url, name, applicationName: 'wallet-ledger' },
          {
            pause: () => {
              databases.noteLost(name);
              return Promise.resolve();
            },
            resume: () => databases.noteFound(name),
          },
        ),
    );
  }

  onApplicationBootstrap(): void {
    this.watches.forEach((watch) => watch.onApplicationBootstrap());
    if (!this.databases.areSeveral) return;
    this.stopMeasuring = readAtScrape('ledger_database_lost', () =>
      this.databases.all.map(({ name }) => ({
        labels: { database: name },
        value: this.databases.isLost(name) ? 1 : 0,
      })),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.watches.map((watch) => watch.beforeApplicationShutdown()));
    this.stopMeasuring();
  }
}
